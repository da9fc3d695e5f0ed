/** What wakes a controller: changes of objects, turned into keys. */
import type { KubeObject, ObjectIdentity, ObjectMeta, ObjectReference, Resource } from '@capstan/kube';
import type { CacheChange } from '../cache/kind-cache.ts';
import type { Cluster } from '../manager/cluster.ts';
import { controllerOf } from '../owner.ts';
import type { Priority } from '../queue/queue.ts';
import { writerName } from './current-reconcile.ts';
import { keyOf } from './request.ts';

/** Whether a change is worth waking for. Both states are given where there are two. */
export type Predicate<T extends KubeObject> = (change: CacheChange<T>) => boolean;

/** A kind, or a kind with a condition. */
export type Watched<T extends KubeObject = KubeObject> =
  | Resource<T>
  | { readonly kind: Resource<T>; readonly when: Predicate<T> };

/** Objects of another kind that matter, and for which keys. */
export interface Watch<T extends KubeObject = KubeObject> {
  readonly kind: Resource<T>;
  /** The objects to look at when this one changes. Called for the state before and the state after. */
  readonly map: (object: NoInfer<T>) => Iterable<ObjectReference>;
  readonly when?: Predicate<NoInfer<T>> | undefined;
  /** Watch in this cluster, for keys of the home cluster. Without it: in every cluster of the controller, for keys of the same. */
  readonly in?: Cluster | undefined;
}

/** A source, ready to be subscribed to. */
export interface Source {
  readonly resource: Resource;
  readonly cluster: Cluster;
  /** The cluster of the keys that it gives. */
  readonly keysIn: string;
  readonly when: Predicate<KubeObject> | undefined;
  readonly references: (change: CacheChange) => Iterable<ObjectReference>;
}

export function forSource(watched: Watched<KubeObject>, cluster: Cluster): Source {
  return { ...split(watched), cluster, keysIn: cluster.name, references: ({ identity }) => [identity] };
}

export function ownsSource(watched: Watched<KubeObject>, cluster: Cluster, owner: Resource): Source {
  const ownerIn = (metadata: ObjectMeta): ObjectReference[] => {
    const reference = controllerOf({ metadata });
    const group = reference?.apiVersion.includes('/') ? reference.apiVersion.split('/')[0] : '';
    if (reference === undefined || reference.kind !== owner.kind || group !== owner.group) return [];
    return [{ name: reference.name, namespace: owner.namespaced ? metadata.namespace : undefined }];
  };
  // The owner before matters only where the object was there before and still is.
  const references = ({ type, metadata, previousMetadata }: CacheChange): ObjectReference[] =>
    type === 'updated' ? [...ownerIn(previousMetadata!), ...ownerIn(metadata)] : ownerIn(metadata);
  return { ...split(watched), cluster, keysIn: cluster.name, references };
}

export function watchSource({ kind, map, when }: Watch<KubeObject>, cluster: Cluster, keysIn: string): Source {
  const references = (change: CacheChange): ObjectReference[] =>
    change.type === 'updated' ? [...map(change.previous), ...map(change.object)] : [...map(change.object)];
  return { resource: kind, when, cluster, keysIn, references };
}

function split(watched: Watched<KubeObject>): Pick<Source, 'resource' | 'when'> {
  return 'when' in watched ? { resource: watched.kind, when: watched.when } : { resource: watched, when: undefined };
}

export interface SubscribeOptions {
  readonly controller: string;
  readonly add: (key: string, priority: Priority) => void;
  /** Also for changes that are nothing but a reconcile's own writes. */
  readonly wakeOnOwnWrites: boolean;
  /** A function of the user's (a predicate, a map) threw. The object is taken to matter to nobody. */
  readonly onError: (error: unknown, source: Source, object: ObjectIdentity) => void;
}

/** Adds the keys that a source gives, from now on and first for everything that is there. Returns how to stop. */
export function subscribe(source: Source, options: SubscribeOptions): () => void {
  return source.cluster.cache.of(source.resource).subscribe(change => {
    const keys = keysOf(source, change, options);
    if (keys.size === 0) return;
    const addAll = (writer: string | undefined): void => {
      for (const key of keys) {
        // A write that one key's reconcile made is no news to that key, but it is to every other.
        if (writer !== undefined && !options.wakeOnOwnWrites && writer === writerName(options.controller, key))
          continue;
        options.add(key, change.initial ? 'low' : 'normal');
      }
    };
    const writer = change.writer();
    if (writer instanceof Promise) void writer.then(addAll);
    else addAll(writer);
  });
}

function keysOf(source: Source, change: CacheChange, { onError }: SubscribeOptions): Set<string> {
  const keys = new Set<string>();
  try {
    if (source.when !== undefined && !source.when(change)) return keys;
    for (const { namespace = '', name } of source.references(change))
      keys.add(keyOf({ cluster: source.keysIn, namespace, name }));
  } catch (error) {
    onError(error, source, change.identity);
  }
  return keys;
}

/** Only when the wanted state changed (`metadata.generation`), or labels, annotations, finalizers, or a deletion began: not for status. */
export const specChanged: Predicate<KubeObject> = change => {
  if (change.type !== 'updated') return true;
  const [before, after] = [change.previousMetadata!, change.metadata];
  return (
    before.uid !== after.uid ||
    before.generation !== after.generation ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    JSON.stringify([before.labels, before.annotations, before.finalizers]) !==
      JSON.stringify([after.labels, after.annotations, after.finalizers])
  );
};
