import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { addChartVerbs } from './chart-verbs.ts';

const chart = mkdtempSync(join(tmpdir(), 'capstan-cli-helm-'));
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 1.0.0\n',
  'values.yaml': '# how many\nreplicas: 1\n',
  'README.md': '# Tiny\n',
  'templates/a.yaml': 'kind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {n: "{{ .Values.replicas }}"}\n',
  'templates/b.yaml': 'kind: Secret\nmetadata: {name: b, namespace: "{{ .Release.Namespace }}"}\n',
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(chart, name)), { recursive: true });
  writeFileSync(join(chart, name), text);
}
afterAll(() => rmSync(chart, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** What `capstan helm …` prints. */
async function printed(...args: string[]): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    text += String(chunk);
    return true;
  });
  const helm = new Command('helm').exitOverride();
  addChartVerbs(helm);
  await helm.parseAsync(args, { from: 'user' });
  return text;
}

describe('capstan helm', () => {
  it('renders a chart under a name, with values and a namespace', async () => {
    const text = await printed('template', 'shop', chart, '--set', 'replicas=3', '-n', 'web');
    expect(text).toContain('---\n# Source: tiny/templates/b.yaml\nkind: Secret\nmetadata: {name: b, namespace: "web"}');
    expect(text).toContain('name: "shop"');
    expect(text).toContain('n: "3"');
  });

  it('renders one template of a chart without a name', async () => {
    const text = await printed('template', chart, '-s', 'templates/a.yaml');
    expect(text).toContain('name: "release-name"');
    expect(text).not.toContain('Secret');
  });

  it('lints, and fails where a chart has an error', async () => {
    expect(await printed('lint', chart)).toContain('[INFO] Chart.yaml: icon is recommended');
    await expect(printed('lint', chart, '--set', 'replicas=')).resolves.toContain(
      '1 chart(s) linted, 0 chart(s) failed',
    );
    await expect(printed('lint', join(chart, 'templates'))).rejects.toThrow('Chart.yaml file is missing');
  });

  it('shows what a chart says about itself', async () => {
    expect(await printed('show', 'values', chart)).toBe('# how many\nreplicas: 1\n\n');
    expect(await printed('show', 'all', chart)).toBe(
      'apiVersion: v2\nname: tiny\nversion: 1.0.0\n\n---\n# how many\nreplicas: 1\n\n---\n# Tiny\n\n',
    );
  });
});
