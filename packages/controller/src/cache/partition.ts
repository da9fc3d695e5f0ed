import {
  apiVersionOf,
  type Clock,
  type KubeObject,
  type Random,
  type Resource,
  type Transport,
  withoutManagedFields,
} from '@capstan/kube';
import { type Arrival, arrived } from '../reflector/arrival.ts';
import { listWatch } from '../reflector/list-watch.ts';
import { Reflector, type ReflectorState, type Sink } from '../reflector/reflector.ts';
import { hasReached, isComparable, newestFirst } from '../reflector/resource-version.ts';
import { type Held, hold, type Keep } from './held.ts';
import type { Unseen } from './own-writes.ts';
import type { Scope } from './scope.ts';
import { type HeldChange, type IndexFunction, Store } from './store.ts';

export interface PartitionOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** One namespace, or all of them. */
  readonly namespace: string | undefined;
  readonly scope: Scope;
  readonly indexes: ReadonlyMap<string, IndexFunction<T>>;
  /** What is kept of an object, besides dropping `managedFields`. */
  readonly transform: ((object: T) => T) | undefined;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly onChange: (change: HeldChange<T>, initial: boolean) => void;
  readonly onProgress: () => void;
  readonly onState: (state: ReflectorState, partition: string) => void;
}

/** A part of a cached kind that one list and one watch keep: all of it, or one namespace. */
export class Partition<T extends KubeObject> implements Sink<T> {
  readonly name: string;
  readonly store: Store<T>;
  readonly reflector: Reflector<T>;
  readonly #options: PartitionOptions<T>;
  readonly #keep: Keep<T>;
  #version: string | undefined;

  constructor(options: PartitionOptions<T>) {
    const { resource, namespace, scope, transport, clock, random, onState } = options;
    this.#options = options;
    this.#keep = keeping(resource, options.transform);
    this.name = `${resource.plural}${resource.group && `.${resource.group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
    this.store = new Store(options.indexes);
    const { labelSelector, fieldSelector } = scope;
    const selection = { namespace, labelSelector, fieldSelector, metadataOnly: resource.metadataOnly };
    this.reflector = new Reflector({
      name: this.name,
      listWatch: listWatch(transport, resource, selection),
      sink: this,
      clock,
      random,
      onState: state => onState(state, this.name),
    });
  }

  get synced(): boolean {
    return this.#version !== undefined;
  }

  replaced(arrivals: readonly Arrival<T>[]): void {
    const initial = !this.synced;
    const held = arrivals.map(arrival => this.#hold(arrival));
    for (const change of this.store.replace(initial ? newestFirst(held) : held))
      this.#options.onChange(change, initial);
  }

  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', arrival: Arrival<T>): void {
    const held = this.#hold(arrival);
    const changes = type === 'DELETED' ? this.store.remove(held) : this.store.put(held);
    for (const change of changes) this.#options.onChange(change, false);
  }

  passed(resourceVersion: string): void {
    this.#version = resourceVersion;
    this.#options.onProgress();
  }

  /** Whether this part shows a write of ours, or never will because it does not hold such objects. */
  shows({ write, written, key }: Unseen): boolean {
    const { namespace, scope } = this.#options;
    if (namespace !== undefined && !key.startsWith(`${namespace}/`)) return true;
    const held = this.store.metadataOf(key);
    const uid = written.type === 'stored' ? written.object.metadata.uid : written.uid;
    if (write.method === 'DELETE') {
      return held === undefined || (uid !== undefined && held.uid !== uid) || held.deletionTimestamp !== undefined;
    }
    if (written.type !== 'stored') return true;
    const version = written.object.metadata.resourceVersion;
    if (!isComparable(version)) return true;
    if (scope.selects(written.object)) return hasReached(this.#version, version);
    return held === undefined || hasReached(held.resourceVersion, version);
  }

  #hold(arrival: Arrival<T>): Held<T> {
    const { resource, transform } = this.#options;
    const held = hold(resource.metadataOnly ? metadataAlone(arrival) : arrival, this.#keep);
    // Whoever drops parts of an object does it for the memory: then it must not wait for a reader.
    if (transform !== undefined) held.object;
    return held;
  }
}

function keeping<T extends KubeObject>(resource: Resource<T>, transform: Keep<T> | undefined): Keep<T> {
  return object => {
    const kept = withoutManagedFields(typed(object, resource));
    return transform === undefined ? kept : transform(kept);
  };
}

/** A server that cannot give metadata alone gives all of it: the rest is not even kept unread. */
function metadataAlone<T extends KubeObject>({ metadata }: Arrival<T>): Arrival<T> {
  return arrived({ metadata } as T);
}

/** Items of a list come without a type, and metadata with the type `PartialObjectMetadata`: each is given its own. */
function typed<T extends KubeObject>(object: T, resource: Resource<T>): T {
  const apiVersion = apiVersionOf(resource);
  const { kind, metadataOnly } = resource;
  if (metadataOnly) return { apiVersion, kind, metadata: object.metadata } as T;
  return object.kind === kind && object.apiVersion === apiVersion ? object : { ...object, apiVersion, kind };
}
