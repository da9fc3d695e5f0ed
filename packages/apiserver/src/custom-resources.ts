/**
 * The life of CustomResourceDefinitions: names accepted, kinds served, and after a deletion their objects removed first. It
 * follows the store, so that a restart or a fork finds the same kinds as before.
 */
import { deepClone, deepEqual, timestamp } from '@capstan/kube';
import { crdStatus, kindDefinitions } from './crd/index.ts';
import type { Draft, KindDefinition, Stored } from './kind.ts';
import type { Backend } from './resource-handler.ts';
import type { Entry } from './store/entry.ts';
import { type Change, HeadMoved } from './store/store.ts';
import { own } from './write/field-managers.ts';

export const CRDS = 'apiextensions.k8s.io/customresourcedefinitions';
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The server keeps the status of definitions under its own name, as Kubernetes' does. */
const STATUS_WRITER = { subresource: 'status', options: { manager: 'kube-apiserver' } } as const;

/** What a CRD defines never changes for the same stored version, and forks share stored versions. */
const definitions = new WeakMap<Stored, readonly KindDefinition[]>();

export class CustomResources {
  readonly #backend: Backend;
  readonly #onError: (error: unknown) => void;
  readonly #subscriptions = new Map<string, () => void>();
  /** Definitions whose objects are being deleted: one pass at a time, and another one when something happened during it. */
  readonly #cleaning = new Map<string, 'once' | 'again'>();

  constructor(backend: Backend, onError: (error: unknown) => void) {
    this.#backend = backend;
    this.#onError = onError;
    const { store } = backend;
    for (const entry of store.list(CRDS, '')) this.#follow(entry);
    this.#subscriptions.set(
      CRDS,
      store.watch(CRDS, store.revision, change => this.#onChange(change)),
    );
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe();
    this.#subscriptions.clear();
  }

  #onChange({ type, entry }: Change): void {
    if (type !== 'DELETED') {
      this.#follow(entry);
      return;
    }
    this.#backend.kinds.withdraw(entry.key);
    this.#subscriptions.get(entry.key)?.();
    this.#subscriptions.delete(entry.key);
  }

  #follow(entry: Entry): void {
    const crd = entry.object;
    try {
      if (isEstablished(crd)) this.#backend.kinds.serve(entry.key, servedKinds(crd));
    } catch (error) {
      this.#onError(error); // one definition that cannot be served is no reason not to serve the others
      return;
    }
    const work = crd.metadata.deletionTimestamp ? this.#cleanUp(entry) : this.#settleStatus(entry);
    work.catch(error => {
      if (!(error instanceof HeadMoved)) this.#onError(error); // whoever moved the head brought us a newer version to follow
    });
  }

  /** Names accepted, established: written as soon as the definition is there. */
  async #settleStatus(entry: Entry): Promise<void> {
    const { store, kinds, clock } = this.#backend;
    const others = store.list(CRDS, '').filter(other => other.key !== entry.key);
    const status = crdStatus(entry.object, {
      others: others.map(other => other.object),
      builtins: [...kinds.all()].filter(kind => !kind.custom),
      now: timestamp(clock.now()),
    });
    if (deepEqual(status, entry.object['status'])) return;
    const draft = deepClone(entry.object) as Draft;
    draft['status'] = status;
    own({ ...this.#backend, ...STATUS_WRITER, kind: definitionOfDefinitions(this.#backend) }, entry.object, draft);
    await store.write(CRDS, entry.key, entry, draft);
    // A name that this one gave up or took may decide about another.
    for (const other of others) this.#follow(other);
  }

  /** Deletes the objects of a kind that is going away; the definition goes when the last one is gone. */
  async #cleanUp({ key, object }: Entry): Promise<void> {
    if (!object.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return;
    if (this.#cleaning.has(key)) {
      this.#cleaning.set(key, 'again');
      return;
    }
    const { store } = this.#backend;
    const table = tableOfCrd(object);
    if (!this.#subscriptions.has(key)) {
      // Whatever happens to one of them, a finalizer that is gone or a write that came in between: look again.
      const again = (): void => {
        const current = store.get(CRDS, key);
        if (current) this.#follow(current);
      };
      this.#subscriptions.set(key, store.watch(table, store.revision, again));
    }
    try {
      do {
        this.#cleaning.set(key, 'once');
        await this.#cleanUpOnce(key, table);
      } while (this.#cleaning.get(key) === 'again');
    } finally {
      this.#cleaning.delete(key);
    }
  }

  async #cleanUpOnce(key: string, table: string): Promise<void> {
    const { store, clock } = this.#backend;
    const now = timestamp(clock.now());
    await Promise.all(store.list(table, '').map(instance => removeInstance(this.#backend, table, instance, now)));
    if (store.count(table) > 0) return;
    const head = store.head(CRDS, key);
    if (!head?.object.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return;
    const draft = deepClone(head.object) as Draft;
    const finalizers = draft.metadata.finalizers!.filter(finalizer => finalizer !== CLEANUP_FINALIZER);
    if (finalizers.length === 0) await store.remove(CRDS, head.key, head, draft);
    else await store.write(CRDS, head.key, head, Object.assign(draft, { metadata: { ...draft.metadata, finalizers } }));
  }
}

const definitionOfDefinitions = ({ kinds }: Backend): KindDefinition =>
  kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;

async function removeInstance(backend: Backend, table: string, entry: Entry, now: string): Promise<void> {
  try {
    await beginRemoval(backend, table, entry, now);
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error; // someone wrote to it; that brings us back here
  }
}

async function beginRemoval({ store }: Backend, table: string, entry: Entry, now: string): Promise<void> {
  const draft = deepClone(entry.object) as Draft;
  const { metadata } = draft;
  if ((metadata.finalizers ?? []).length === 0) {
    await store.remove(table, entry.key, entry, draft);
  } else if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = now;
    metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined) metadata.generation++;
    await store.write(table, entry.key, entry, draft);
  }
}

/** Nothing new comes while a definition is on its way out. */
function servedKinds(crd: Stored): readonly KindDefinition[] {
  if (!crd.metadata.deletionTimestamp) return kindsOf(crd);
  return kindsOf(crd).map(kind => ({ ...kind, verbs: kind.verbs.filter(verb => verb !== 'create') }));
}

function kindsOf(crd: Stored): readonly KindDefinition[] {
  const known = definitions.get(crd);
  if (known) return known;
  const kinds = kindDefinitions(crd);
  definitions.set(crd, kinds);
  return kinds;
}

function isEstablished(crd: Stored): boolean {
  const conditions: readonly { type: string; status: string }[] = crd['status']?.conditions ?? [];
  return conditions.some(condition => condition.type === 'Established' && condition.status === 'True');
}

const tableOfCrd = (crd: Stored): string => `${crd['spec'].group}/${crd['spec'].names.plural}`;
