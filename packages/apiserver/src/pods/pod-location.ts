/** Which Pod, which container and which node a request is about, in the words of Kubernetes where one of them is not there. */
import type { Pod } from '@capstan/kube';
import type { Backend } from '../resource-handler.ts';
import { badRequest, notFound, notImplemented } from '../status.ts';
import { keyOf } from '../storage.ts';
import type { NodeAgent } from './node-agent.ts';

const POD = { group: '', plural: 'pods', kind: 'Pod' } as const;

export function podOf({ store }: Pick<Backend, 'store'>, namespace: string, name: string): Pod {
  const entry = store.get('/pods', keyOf(namespace, name));
  if (!entry) throw notFound(POD, name);
  return entry.object as unknown as Pod;
}

/** The container that is asked for; the only one where none is named. */
export function containerOf({ metadata, spec }: Pod, wanted: string | undefined): string {
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  const names = all.map(({ name }) => name);
  if (wanted) {
    if (!names.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
    return wanted;
  }
  const [only, ...others] = spec.containers;
  if (only && others.length === 0) return only.name;
  throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`);
}

/** The node that runs the Pod. Only asked where `spec.nodeName` is set. */
export function agentOf({ store, nodes }: Pick<Backend, 'store' | 'nodes'>, nodeName: string): NodeAgent {
  const agent = nodes.find(nodeName);
  if (agent) return agent;
  // Kubernetes speaks of Pods here, though it is the Node that it did not find.
  if (!store.get('/nodes', nodeName)) throw notFound(POD, nodeName);
  throw notImplemented(
    `node ${JSON.stringify(nodeName)} is not run by this cluster: its Pods have no logs, exec, attach or port-forward`,
  );
}

/** The same for what needs a node at all. */
export function hostOf(backend: Pick<Backend, 'store' | 'nodes'>, { metadata, spec }: Pod): NodeAgent {
  if (!spec.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  return agentOf(backend, spec.nodeName);
}
