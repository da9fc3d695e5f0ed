/** What a story compares: the objects of a namespace without what differs from run to run (times, uids, random names). */
import {
  type Client,
  controllerRevisions,
  daemonSets,
  deployments,
  events,
  type Json,
  jobs,
  type KubeObject,
  type Pod,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
  type Resource,
  replicaSets,
  statefulSets,
} from '@capstan/kube';

export const NAMESPACE = 'story';

type Fields = Record<string, unknown>;

/** Keeps what it needs to know of Pods that are gone: their names still stand in Events. */
export class Normaliser {
  readonly #prefixes = new Set<string>();

  async snapshot(client: Client): Promise<Json> {
    const found: Record<string, unknown[]> = {};
    const hashes = new Map<string, string>();
    const read = async <T extends KubeObject>(kind: Resource<T>, pick: (object: T) => Fields): Promise<void> => {
      const { items } = await client.list(kind, { namespace: NAMESPACE });
      for (const { metadata } of items) {
        if (metadata.generateName && metadata.name.startsWith(metadata.generateName))
          this.#prefixes.add(metadata.generateName);
      }
      if (items.length > 0) found[kind.plural] = items.map(item => ({ name: item.metadata.name, ...pick(item) }));
    };
    await read(replicaSets, ({ metadata, spec, status }) => {
      this.#prefixes.add(`${metadata.name}-`);
      remember(
        hashes,
        metadata.labels?.['pod-template-hash'],
        metadata.annotations?.['deployment.kubernetes.io/revision'],
      );
      const { observedGeneration: _, ...counts } = status ?? { replicas: 0 };
      return { ...common(metadata), replicas: spec.replicas, status: withoutTimes(counts) };
    });
    await read(controllerRevisions, ({ metadata, revision, data }) => {
      const { 'controller-revision-hash': daemon, 'controller.kubernetes.io/hash': stateful = daemon } =
        metadata.labels ?? {};
      remember(hashes, stateful, String(revision));
      return { ...common(metadata), revision, data };
    });
    await read(deployments, object => ({ ...common(object.metadata), status: withoutTimes(object.status) }));
    await read(statefulSets, object => ({ status: withoutTimes(object.status) }));
    await read(daemonSets, object => ({ ...common(object.metadata), status: withoutTimes(object.status) }));
    await read(jobs, object => ({ ...common(object.metadata), status: withoutTimes(object.status) }));
    await read(podDisruptionBudgets, object => ({ status: withoutTimes(object.status) }));
    await read(persistentVolumeClaims, object => common(object.metadata));
    await read(pods, podFields);
    return this.#normalised(found as Json, hashes);
  }

  /** Every kind of Event once: how many there are, and which Pods and numbers they name, depends on who was faster. */
  async told(client: Client): Promise<Json> {
    const { items } = await client.list(events, { namespace: NAMESPACE });
    const texts = items
      .filter(({ involvedObject }) => involvedObject.kind !== 'PersistentVolumeClaim')
      .map(({ involvedObject, type, reason, message = '' }) => {
        const blurred = message
          .replace('(combined from similar events): ', '')
          .replace(/from \d+ to \d+/, 'from N to N')
          .replace(/(Created|Deleted) pod: \S+/, '$1 pod: <pod>')
          .replace(/replica set (.+)-[a-z0-9]{6,10} /, 'replica set $1-<hash> ');
        return `${involvedObject.kind} ${type} ${reason}: ${blurred}`;
      });
    const known = this.#normalised(texts as Json, new Map()) as string[];
    return [...new Set(known)].sort();
  }

  #normalised(value: Json, hashes: ReadonlyMap<string, string>): Json {
    let text = JSON.stringify(value);
    for (const prefix of this.#prefixes) text = text.replace(new RegExp(`${prefix}[a-z0-9]{5}\\b`, 'g'), `${prefix}*`);
    for (const [hash, name] of hashes) text = text.replaceAll(hash, name);
    // What is left of hashes belongs to ReplicaSets that are gone.
    text = text.replace(/-[bcdfghjklmnpqrstvwxz2456789]{6,10}-\*/g, '-<hash>-*');
    text = text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>');
    return sorted(JSON.parse(text) as Json);
  }
}

function remember(hashes: Map<string, string>, hash: string | undefined, revision: string | undefined): void {
  if (hash !== undefined) hashes.set(hash, `<hash of revision ${revision}>`);
}

function common({ labels, annotations, ownerReferences, finalizers }: KubeObject['metadata']): Fields {
  const owners = ownerReferences?.map(({ uid: _, ...reference }) => reference);
  return { labels, annotations, owners, finalizers };
}

function podFields({ metadata, spec, status }: Pod): Fields {
  const { hostname, subdomain, tolerations, affinity } = spec;
  const [container] = spec.containers;
  const claims = spec.volumes?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim ?? []) ?? [];
  return {
    ...common(metadata),
    leaving: metadata.deletionTimestamp !== undefined || undefined,
    image: container!.image,
    env: container!.env,
    hostname,
    subdomain,
    tolerations,
    affinity,
    claims: claims.length > 0 ? claims : undefined,
    phase: status?.phase,
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  };
}

const TIMES = new Set(['lastTransitionTime', 'lastUpdateTime', 'lastProbeTime', 'startTime', 'completionTime']);

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !TIMES.has(key))
      .map(([key, field]) => [key, withoutTimes(field)]),
  );
}

/** Objects by name, conditions by type, keys by name: nothing of it depends on an order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    const isKeyed = items.every(
      item => typeof item === 'object' && item !== null && ('type' in item || 'name' in item),
    );
    return isKeyed ? items.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key]!)]),
  );
}
