import { GoMap } from '@capstan/gotemplate';
import { describe, expect, it } from 'vitest';
import { loadFiles } from '../chart/load.ts';
import { render } from './render.ts';

const chartOf = (files: Record<string, string>) => loadFiles({ 'Chart.yaml': 'name: tiny\nversion: 1.0.0', ...files });

describe('rendering', () => {
  it('takes the notes out, those of subcharts only when asked', async () => {
    const chart = await chartOf({
      'templates/NOTES.txt': 'Hello {{ .Release.Name }}',
      'charts/sub/Chart.yaml': 'name: sub\nversion: 1.0.0',
      'charts/sub/templates/NOTES.txt': 'from below',
    });
    expect(render(chart).notes).toBe('Hello release-name');
    expect(render(chart, { subNotes: true }).notes.split('\n').sort()).toEqual(['Hello release-name', 'from below']);
    expect(render(chart).manifest).toBe('');
  });

  it('asks the cluster through the function it is given', async () => {
    const chart = await chartOf({ 'templates/a.yaml': 'found: {{ (lookup "v1" "Pod" "ns" "p").kind }}' });
    const asked: string[][] = [];
    const lookup = (...question: string[]) => {
      asked.push(question);
      return new GoMap([['kind', 'Pod']]);
    };
    expect(render(chart, { lookup }).manifest).toContain('found: Pod');
    expect(asked).toEqual([['v1', 'Pod', 'ns', 'p']]);
  });

  it('gives hooks apart, with their weights and policies', async () => {
    const chart = await chartOf({
      'templates/hook.yaml': `kind: Job
metadata:
  name: migrate
  annotations:
    helm.sh/hook: pre-install, pre-upgrade
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: hook-succeeded`,
    });
    expect(render(chart).hooks).toMatchObject([
      {
        name: 'migrate',
        kind: 'Job',
        events: ['pre-install', 'pre-upgrade'],
        weight: -5,
        deletePolicies: ['hook-succeeded'],
      },
    ]);
  });

  it('passes documents through a function, hooks included for Helm 4', async () => {
    const chart = await chartOf({
      'templates/a.yaml': 'kind: ConfigMap\nmetadata: {name: a}',
      'templates/b.yaml': 'kind: Job\nmetadata: {name: b, annotations: {helm.sh/hook: test}}',
    });
    const postRenderer = (text: string) => text.replace(/^( +)name: |\{name: /gm, '$&x-');
    const four = render(chart, { postRenderer });
    expect(four.manifests.map(({ name, path }) => [name, path])).toEqual([['x-a', 'tiny/templates/a.yaml']]);
    expect(four.hooks.map(hook => hook.name)).toEqual(['x-b']);
    expect(four.manifest).not.toContain('postrender-filename');
    expect(render(chart, { postRenderer, helm: 3 }).hooks.map(hook => hook.name)).toEqual(['b']);
  });

  it('does the same twice: a chart is never changed', async () => {
    const chart = await chartOf({
      'values.yaml': 'a: {b: 1}',
      'templates/a.yaml': '{{ $_ := set .Values.a "b" 2 }}{{ $_ := set .Values "c" 3 }}v: {{ toJson .Values }}',
    });
    expect(render(chart).manifest).toBe(render(chart).manifest);
    expect(chart.values).toEqual({ a: { b: 1 } });
  });

  it('ends: output, steps and depth are bounded for all files together', async () => {
    const loop = await chartOf({
      'templates/a.yaml': '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    });
    expect(() => render(loop)).toThrow();
    const files = Object.fromEntries([...'abcdef'].map(name => [`templates/${name}.yaml`, `a: ${'x'.repeat(1000)}`]));
    const chartWith = await chartOf(files);
    expect(() => render(chartWith, { limits: { output: 3_000 } })).toThrow('chart exceeded its output limit');
    const busy = await chartOf({
      'templates/a.yaml': '{{ range until 10000 }}{{ end }}',
      'templates/b.yaml': '{{ range until 10000 }}{{ end }}',
    });
    expect(() => render(busy, { limits: { steps: 15_000 } })).toThrow('steps limit');
  });
});
