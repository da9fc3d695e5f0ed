/** Looks at one object after another and does what has to be done about it. Before anything is deleted, the API itself is asked. */
import type { Log, Recorder } from '@capstan/controller';
import {
  type Client,
  type Discovery,
  isNotFound,
  type KubeObject,
  metadataOnly,
  type OwnerReference,
} from '@capstan/kube';
import { AbsentOwners } from './absent-owners.ts';
import { decide, type Judged, type OwnerState } from './decision.ts';
import { blocks, deletionOf, FOREGROUND, type Graph, type Node, ORPHAN } from './graph.ts';

export interface CollectorParts {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly graph: Graph;
  readonly recorder: Recorder;
  readonly log: Log;
  /** Asks for another look at an object. */
  readonly enqueue: (uid: string) => void;
}

/** What a look came to. */
export type Outcome =
  | 'done'
  /** Something that no watch tells of is not as it should be yet. */
  | 'look again';

export class Collector {
  readonly absent = new AbsentOwners();
  readonly #parts: CollectorParts;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  async look(uid: string): Promise<Outcome> {
    const { graph } = this.#parts;
    const node = graph.get(uid);
    if (node === undefined) return 'done';
    switch (node.deletion) {
      case 'background':
        return 'done';
      case 'orphan':
        return this.#orphan(node);
      case 'foreground':
        return this.#waitForDependents(node);
      case 'none':
        // What the watches show to be owned needs no questions: a deletion of the owner would wake us.
        if (node.owners.every(owner => graph.isSound(node, owner))) return 'done';
        return this.#collect(node);
    }
  }

  async #collect(node: Node): Promise<Outcome> {
    const { client, graph } = this.#parts;
    const live = await this.#read(node);
    if (live === undefined || deletionOf(live.metadata) !== 'none') return 'done';
    const judged: Judged[] = [];
    let unseen = false;
    for (const owner of live.metadata.ownerReferences ?? []) {
      const state = graph.isSound(node, owner) ? 'solid' : await this.#ask(node, owner);
      if (state === 'invalid') return 'done';
      if (state === 'solid' && graph.get(owner.uid) === undefined) unseen = true;
      judged.push({ owner, state });
    }
    const dependents = [...graph.dependentsOf(node.uid)];
    const decision = decide(live.metadata, judged, {
      hasDependents: dependents.length > 0,
      dependentWaits: dependents.some(({ deletion }) => deletion === 'foreground'),
    });
    switch (decision.type) {
      case 'keep':
        // An owner that came and went between two watches would never be told of.
        return unseen ? 'look again' : 'done';
      case 'release': {
        const gone = new Set(decision.owners.map(({ uid }) => uid));
        await this.#setOwners(node, live, owners => owners.filter(({ uid }) => !gone.has(uid)));
        return unseen ? 'look again' : 'done';
      }
      case 'delete': {
        let { resourceVersion } = live.metadata;
        if (decision.unblock) {
          const changed = await this.#setOwners(node, live, owners =>
            owners.map(owner => ({ ...owner, blockOwnerDeletion: false })),
          );
          resourceVersion = changed?.metadata.resourceVersion;
        }
        const { uid, resource } = node;
        const { propagation } = decision;
        await unlessGone(() =>
          client.delete(resource, placeOf(node), { preconditions: { uid, resourceVersion }, propagation }),
        );
        return 'done';
      }
    }
  }

  /** Asks the API about an owner that the graph knows nothing good about. */
  async #ask(node: Node, owner: OwnerReference): Promise<OwnerState | 'invalid'> {
    if (this.absent.has(owner, node.namespace)) return 'absent';
    const { client, discovery, graph } = this.#parts;
    const kind = await discovery.forKind(owner.apiVersion, owner.kind);
    if (kind === undefined) {
      throw new Error(
        `${owner.kind} (${owner.apiVersion}), the owner of ${describe(node)}, is no kind that the API has`,
      );
    }
    const known = graph.get(owner.uid);
    if (known !== undefined && known.namespace !== '' && known.namespace !== node.namespace) this.#report(node, owner);
    if (kind.namespaced && node.namespace === '') return 'invalid';
    const place = { namespace: kind.namespaced ? node.namespace : undefined, name: owner.name };
    const found = await unlessGone(() => client.get(metadataOnly(kind), place));
    if (found === undefined || found.metadata.uid !== owner.uid) {
      this.absent.add(owner, kind.namespaced ? node.namespace : '');
      return 'absent';
    }
    return deletionOf(found.metadata) === 'foreground' ? 'waiting' : 'solid';
  }

  #report({ apiVersion, kind, namespace, name, uid }: Node, owner: OwnerReference): void {
    const text = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const metadata = { name, uid, ...(namespace !== '' && { namespace }) };
    this.#parts.recorder.record(
      { apiVersion, kind, metadata },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${text} does not exist in namespace "${namespace}"`,
      },
    );
  }

  async #waitForDependents(node: Node): Promise<Outcome> {
    const { graph, enqueue } = this.#parts;
    const blocking = [...graph.dependentsOf(node.uid)].filter(dependent => blocks(dependent, node.uid));
    for (const { uid, deletion } of blocking) if (deletion === 'none') enqueue(uid);
    return blocking.length > 0 ? 'done' : this.#removeFinalizer(node, FOREGROUND);
  }

  async #orphan(node: Node): Promise<Outcome> {
    for (const dependent of [...this.#parts.graph.dependentsOf(node.uid)]) {
      const live = await this.#read(dependent);
      if (live?.metadata.ownerReferences?.some(({ uid }) => uid === node.uid)) {
        await this.#setOwners(dependent, live, owners => owners.filter(({ uid }) => uid !== node.uid));
      }
    }
    return this.#removeFinalizer(node, ORPHAN);
  }

  async #removeFinalizer(node: Node, finalizer: string): Promise<Outcome> {
    const live = await this.#read(node);
    if (!live?.metadata.finalizers?.includes(finalizer)) return 'done';
    const finalizers = live.metadata.finalizers.filter(each => each !== finalizer);
    await this.#patch(node, live, { finalizers });
    return 'done';
  }

  #setOwners(
    node: Node,
    live: KubeObject,
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
  ): Promise<KubeObject | undefined> {
    return this.#patch(node, live, { ownerReferences: change(live.metadata.ownerReferences ?? []) });
  }

  /** Guarded by the version that was read: what was decided on it holds only for it. */
  #patch(node: Node, { metadata }: KubeObject, change: object): Promise<KubeObject | undefined> {
    const { uid, resourceVersion } = metadata;
    const merge = { metadata: { uid, resourceVersion, ...change } };
    return unlessGone(() => this.#parts.client.patch(node.resource, placeOf(node), { merge }));
  }

  /** The object as the API has it; undefined if it is gone, or another one has its name now. */
  async #read(node: Node): Promise<KubeObject | undefined> {
    const found = await unlessGone(() => this.#parts.client.get(node.resource, placeOf(node)));
    return found?.metadata.uid === node.uid ? found : undefined;
  }
}

const placeOf = ({ namespace, name }: Node) => ({ namespace: namespace === '' ? undefined : namespace, name });

const describe = ({ kind, namespace, name }: Node): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

async function unlessGone<R>(call: () => Promise<R>): Promise<R | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
