/** Reads what a report needs. What this user may not read is noted, and nothing else is lost by it. */
import {
  type Client,
  type Clock,
  daemonSets,
  deployments,
  events,
  isForbidden,
  isNotFound,
  jobs,
  type KubeObject,
  namespaces,
  nodes,
  persistentVolumeClaims,
  pods,
  type Resource,
  statefulSets,
  storageClasses,
  withoutManagedFields,
} from '@capstan/kube';
import type { Observation, ServerObservation } from './observation.ts';

export interface ObserveOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Where the client leads, for people. */
  readonly description: string;
  /** One namespace; all of them if not given. */
  readonly namespace?: string | undefined;
  readonly signal: AbortSignal;
}

const PAGE = 1000;

/** Rejects where the cluster cannot be reached, or does not know who asks. */
export async function observe(options: ObserveOptions): Promise<Observation> {
  const { client, namespace, signal } = options;
  const server = await observeServer(options);
  const unreadable: { kind: string; why: string }[] = [];
  const all = async <T extends KubeObject>(resource: Resource<T>, fields?: string): Promise<readonly T[]> => {
    const scope = resource.namespaced ? { namespace } : {};
    try {
      const selection = { ...scope, fields, limit: PAGE, signal };
      return (await client.listAll(resource, { ...selection, transform: withoutManagedFields<T> })).items;
    } catch (error) {
      if (isForbidden(error)) unreadable.push({ kind: resource.kind, why: error.message });
      else if (!isNotFound(error)) throw error;
      return [];
    }
  };
  const [node, space, deployment, stateful, daemon, pod, job, claim, storage, event] = await Promise.all([
    all(nodes),
    all(namespaces),
    all(deployments),
    all(statefulSets),
    all(daemonSets),
    all(pods),
    all(jobs),
    all(persistentVolumeClaims),
    all(storageClasses),
    all(events, 'type=Warning'),
  ]);
  const objects = {
    nodes: node,
    namespaces: namespace === undefined ? space : space.filter(({ metadata }) => metadata.name === namespace),
    deployments: deployment,
    statefulSets: stateful,
    daemonSets: daemon,
    pods: pod,
    jobs: job,
    claims: claim,
    storageClasses: storage,
    events: event,
  };
  return { server, objects, unreadable };
}

/** The first request also opens the connection; the second tells how fast the server is. */
async function observeServer({ client, clock, description, signal }: ObserveOptions): Promise<ServerObservation> {
  const ask = (path: string) => client.transport.request({ method: 'GET', path, signal });
  const ready = await ask('/readyz');
  if (ready.status === 401) throw new UnknownUserError();
  const began = clock.monotonic();
  const { body } = await ask('/version');
  const latency = clock.monotonic() - began;
  const { gitVersion = 'of unknown version' } = (body ?? {}) as { gitVersion?: string };
  const server = { description, version: gitVersion, latency };
  // Some clusters let nobody but administrators ask; that is no sign of trouble.
  if (ready.status === 200 || ready.status === 403 || ready.status === 404) return server;
  return { ...server, notReady: String(ready.body).trim() || `/readyz answers ${ready.status}` };
}

/** The server is there and does not know who asks. */
export class UnknownUserError extends Error {
  constructor() {
    super('the API server does not know the user of the kubeconfig (401)');
  }
}
