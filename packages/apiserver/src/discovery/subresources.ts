/** What stands below an object of a built-in kind, as Kubernetes lists it. */
import type { KindDefinition } from '../kind.ts';

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** What is sent and answered, where that is not the kind itself. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** A stream, not an object: the OpenAPI documents leave it out. */
  readonly isStream?: boolean;
}

const READ_AND_WRITE = ['get', 'patch', 'update'] as const;
const PROXY = ['create', 'delete', 'get', 'patch', 'update'] as const;

const stream = (name: string, verbs: readonly string[], kind: string): Subresource => ({
  name,
  verbs,
  kind: { group: '', version: '', kind },
  isStream: true,
});

/** By `plural/name`; one that is not here is read and written as the object itself. */
const SPECIAL: Readonly<Record<string, Subresource>> = {
  'namespaces/finalize': { name: 'finalize', verbs: ['update'] },
  'nodes/proxy': stream('proxy', PROXY, 'NodeProxyOptions'),
  'pods/attach': stream('attach', ['create', 'get'], 'PodAttachOptions'),
  'pods/binding': { name: 'binding', verbs: ['create'], kind: { group: '', version: '', kind: 'Binding' } },
  'pods/eviction': { name: 'eviction', verbs: ['create'], kind: { group: 'policy', version: 'v1', kind: 'Eviction' } },
  'pods/exec': stream('exec', ['create', 'get'], 'PodExecOptions'),
  'pods/log': { name: 'log', verbs: ['get'], isStream: true },
  'pods/portforward': stream('portforward', ['create', 'get'], 'PodPortForwardOptions'),
  'pods/proxy': stream('proxy', PROXY, 'PodProxyOptions'),
  'services/proxy': stream('proxy', PROXY, 'ServiceProxyOptions'),
  'serviceaccounts/token': {
    name: 'token',
    verbs: ['create'],
    kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  },
};

const STATUS: Subresource = { name: 'status', verbs: READ_AND_WRITE };
const SCALE: Subresource = {
  name: 'scale',
  verbs: READ_AND_WRITE,
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
};

/** In the order of Kubernetes: by name for built-ins, status before scale for custom resources. */
export function subresourcesOf({ plural, custom, subresources }: KindDefinition): readonly Subresource[] {
  const found = [
    ...(subresources.status ? [STATUS] : []),
    ...(subresources.scale ? [SCALE] : []),
    ...(subresources.other ?? []).map(name => SPECIAL[`${plural}/${name}`] ?? { name, verbs: READ_AND_WRITE }),
  ];
  return custom ? found : found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
