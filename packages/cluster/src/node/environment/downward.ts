/** The downward API: fields of a Pod and amounts of resources, as text. */
import { type Container, type Pod, parseQuantity } from '@capstan/kube';
import { containersOf } from '../pod/container-facts.ts';

/** What a Pod's own fields do not tell yet while it is being started. */
export interface Surroundings {
  readonly podIP: string;
  readonly hostIP: string;
  /** Of the node, in whole cores and bytes: the limit of a container that has none. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** Undefined: a node knows no such field. */
export function podField(pod: Pod, path: string, { podIP, hostIP }: Surroundings): string | undefined {
  const { metadata, spec } = pod;
  const entry = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (entry !== null) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2]!] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? 'default';
    case 'status.hostIP':
    case 'status.hostIPs':
      return hostIP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      return undefined;
  }
}

/** One `key="value"` a line, sorted, as files of labels have it. */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(map).toSorted();
  return keys.map(key => `${key}=${JSON.stringify(map[key])}`).join('\n');
}

export interface ResourceField {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/** Undefined: there is no such container or resource. */
export function resourceField(
  pod: Pod,
  container: Container | undefined,
  { containerName, resource, divisor }: ResourceField,
  { allocatable }: Surroundings,
): string | undefined {
  const of =
    containerName === undefined || containerName === ''
      ? container
      : containersOf(pod.spec).find(({ name }) => name === containerName);
  const match = /^(limits|requests)\.(.+)$/.exec(resource);
  if (of === undefined || match === null) return undefined;
  const [, which, name] = match as unknown as [string, 'limits' | 'requests', string];
  const amount = of.resources?.[which]?.[name] ?? (which === 'limits' ? allocatable[name] : undefined) ?? '0';
  return dividedUp(amount, divisor === undefined || divisor === '' || divisor === '0' ? '1' : divisor);
}

/** Rounded up to a whole number, as Kubernetes does. */
function dividedUp(amount: string, divisor: string): string {
  const [dividend, by] = [parseQuantity(amount).nanos, parseQuantity(divisor).nanos];
  return String((dividend + by - 1n) / by);
}
