/** Charts made of plain documents, so that tests of actions do not depend on templates. */
import { parseYaml, toHost } from '@capstan/gotemplate';
import type { Chart } from '../chart/chart.ts';
import type { HookEvent, Rendered } from '../render/rendered.ts';
import type { Renderer } from './rendering.ts';

export interface ChartParts {
  readonly name?: string;
  readonly version?: string;
  /** YAML documents; those with `helm.sh/hook` are hooks. */
  readonly documents: readonly string[];
  readonly crds?: readonly string[];
  readonly notes?: string;
  readonly values?: Chart['values'];
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

export function chartOf({
  name = 'app',
  version = '1.0.0',
  documents,
  crds = [],
  notes,
  values = {},
}: ChartParts): Chart {
  const templates = documents.map((text, index) => ({ name: `templates/${index}.yaml`, data: bytes(text) }));
  if (notes !== undefined) templates.push({ name: 'templates/NOTES.txt', data: bytes(notes) });
  const files = crds.map((text, index) => ({ name: `crds/${index}.yaml`, data: bytes(text) }));
  const metadata = { name, version, apiVersion: 'v2', appVersion: '1.0' };
  return { metadata, lock: null, templates, values, schema: null, files, raw: [], dependencies: [] };
}

interface Head {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** Gives the documents as they are: no templates, no order of kinds. `$REVISION` and `$COLOUR` are replaced. */
export const plainRenderer: Renderer = async (_, { chart, values, release }) => {
  const manifests: { path: string; content: string; kind: string; name: string }[] = [];
  const hooks: Rendered['hooks'][number][] = [];
  let notes = '';
  for (const { name, data } of chart.templates) {
    const text = Buffer.from(data)
      .toString('utf8')
      .replaceAll('$REVISION', String(release.revision))
      .replaceAll('$COLOUR', String(values['colour'] ?? chart.values['colour'] ?? 'none'));
    const path = `${chart.metadata.name}/${name}`;
    if (name.endsWith('NOTES.txt')) {
      notes = text;
      continue;
    }
    const head = toHost(parseYaml(text)) as unknown as Head;
    const annotations = head.metadata.annotations ?? {};
    const events = annotations['helm.sh/hook'];
    if (events === undefined) manifests.push({ path, content: text, kind: head.kind, name: head.metadata.name });
    else {
      hooks.push({
        name: head.metadata.name,
        kind: head.kind,
        path,
        manifest: text,
        events: events.split(',') as HookEvent[],
        weight: Number(annotations['helm.sh/hook-weight'] ?? 0),
        deletePolicies: annotations['helm.sh/hook-delete-policy']?.split(',') ?? [],
        outputLogPolicies: [],
      });
    }
  }
  const manifest = manifests.map(({ path, content }) => `---\n# Source: ${path}\n${content}\n`).join('');
  return { chart, values, hooks, manifests, manifest, notes, crds: [], warnings: [] };
};

export const configMap = (name: string, data = 'a: one'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${data}`;

export const job = (name: string, annotations: Readonly<Record<string, string>>): string =>
  [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}`,
    '  annotations:',
    ...Object.entries(annotations).map(([key, value]) => `    ${key}: "${value}"`),
    'spec:',
    '  template:',
    '    spec:',
    '      restartPolicy: Never',
    '      containers: [{ name: main, image: busybox }]',
  ].join('\n');
