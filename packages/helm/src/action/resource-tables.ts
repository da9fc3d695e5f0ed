/** The objects of a release as the server shows them in tables: what `kubectl get` prints. */
import { type DynamicObject, type Resource, resourcePath } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { kindsOf, resolveTargets, type Target } from '../apply/target.ts';
import type { Release } from '../release/release.ts';
import type { Helm } from './context.ts';

export interface ResourceTable {
  /** `v1/Deployment`; `v1/Pod(related)` for Pods that the objects of the release select. */
  readonly kind: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface ServerTable {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows?: readonly { readonly cells: readonly unknown[] }[];
}

const ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Objects that are not there are left out. */
export async function resourceTables(helm: Helm, release: Release): Promise<ResourceTable[]> {
  const objects = parseManifest(release.manifest ?? '');
  const targets = await resolveTargets(kindsOf(helm.discovery), objects, release.namespace, 'skip');
  const groups = Map.groupBy(targets, ({ resource }) => `${resource.version}/${resource.kind}`);
  const tables: ResourceTable[] = [];
  for (const [kind, members] of groups) {
    const named = members.filter(({ object }) => object.metadata.name);
    const found = await Promise.all(
      named.map(({ resource, object }) =>
        ask(helm, resource, object.metadata.namespace, { name: object.metadata.name }),
      ),
    );
    tables.push(...joined(kind, found));
  }
  return [...tables, ...(await relatedPods(helm, targets))];
}

async function relatedPods(helm: Helm, targets: readonly Target[]): Promise<ResourceTable[]> {
  const pods = await helm.discovery.forKind('v1', 'Pod');
  const selectors = new Map<string, { namespace: string | undefined; labels: string }>();
  for (const { object } of targets) {
    const labels = selectorOf(object);
    const namespace = object.metadata.namespace;
    if (labels !== '') selectors.set(`${namespace}/${labels}`, { namespace, labels });
  }
  if (!pods || selectors.size === 0) return [];
  const found = await Promise.all(
    [...selectors.values()].map(({ namespace, labels }) => ask(helm, pods, namespace, { labels })),
  );
  return joined('v1/Pod(related)', found);
}

const SELECTING = new Set(['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

function selectorOf(object: DynamicObject): string {
  if (!SELECTING.has(object.kind)) return '';
  const { selector } = (object['spec'] ?? {}) as { selector?: { matchLabels?: Readonly<Record<string, string>> } };
  return Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

async function ask(
  helm: Helm,
  resource: Resource,
  namespace: string | undefined,
  which: { readonly name?: string; readonly labels?: string },
): Promise<ServerTable> {
  const { body } = await helm.client.request({
    method: 'GET',
    path: resourcePath(resource, { namespace }),
    query: {
      fieldSelector: which.name === undefined ? undefined : `metadata.name=${which.name}`,
      labelSelector: which.labels,
    },
    headers: { accept: ACCEPT },
  });
  return body as ServerTable;
}

function joined(kind: string, tables: readonly ServerTable[]): ResourceTable[] {
  const shown = (table: ServerTable): number[] =>
    table.columnDefinitions.flatMap(({ priority = 0 }, at) => (priority === 0 ? [at] : []));
  const rows = tables.flatMap(table =>
    (table.rows ?? []).map(({ cells }) => shown(table).map(at => (cells[at] === null ? '<none>' : String(cells[at])))),
  );
  const [first] = tables;
  if (!first || rows.length === 0) return [];
  const headers = shown(first).map(at => first.columnDefinitions[at]!.name.toUpperCase());
  return [{ kind, headers, rows }];
}
