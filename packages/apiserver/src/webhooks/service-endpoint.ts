/** Where the Service of a webhook listens. There is no cluster DNS and no proxy to ask: its endpoints are in the store. */
import type { Random } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import type { Store } from '../store/store.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** One of the ready endpoints, by chance. Throws why there is none, in Kubernetes' words. */
export function serviceEndpoint(store: Store, random: Random, wanted: ServicePort): Endpoint {
  const { namespace, name, port } = wanted;
  const spec = store.get('/services', `${namespace}/${name}`)?.object['spec'];
  if (!spec) throw new Error(`service ${JSON.stringify(name)} not found`);
  if (spec.type === 'ExternalName') return { host: spec.externalName, port };
  const ports: readonly { name?: string; port: number }[] = spec.ports ?? [];
  const servicePort = ports.find(candidate => candidate.port === port);
  if (!servicePort) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const portName = servicePort.name ?? '';
  const fromSlices = slicesOf(store, wanted).flatMap(slice => sliceEndpoints(slice, portName));
  const ready = fromSlices.length > 0 ? fromSlices : legacyEndpoints(store, wanted, portName);
  if (ready.length === 0) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  return ready[Math.floor(random.next() * ready.length)]!;
}

function slicesOf(store: Store, { namespace, name }: ServicePort): readonly Stored[] {
  return store
    .list('discovery.k8s.io/endpointslices', `${namespace}/`)
    .map(entry => entry.object)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
}

interface SliceEndpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
}

function sliceEndpoints(slice: Stored, portName: string): Endpoint[] {
  const port = portNamed(slice['ports'], portName);
  if (port === undefined) return [];
  return ((slice['endpoints'] ?? []) as readonly SliceEndpoint[])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.slice(0, 1).map(host => ({ host, port })));
}

interface Subset {
  readonly addresses?: readonly { readonly ip: string }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** Endpoints that someone wrote by hand, the way before EndpointSlices. */
function legacyEndpoints(store: Store, { namespace, name }: ServicePort, portName: string): Endpoint[] {
  const subsets: readonly Subset[] = store.get('/endpoints', `${namespace}/${name}`)?.object['subsets'] ?? [];
  return subsets.flatMap(({ addresses = [], ports }) => {
    const port = portNamed(ports, portName);
    return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
  });
}

const portNamed = (ports: Subset['ports'] = [], name: string): number | undefined =>
  (ports ?? []).find(port => (port.name ?? '') === name)?.port;
