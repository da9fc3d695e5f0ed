import { deepFreeze } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { objectPath, type Resource } from '../resource.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from './options.ts';
import { writeQuery } from './query.ts';
import { objectFromResponse } from './response.ts';
import type { Outgoing, Sender } from './send.ts';
import { type ObjectReference, type Patch, patchBody } from './shapes.ts';

/** A part of an object with a life of its own: `status`, `scale`, `eviction`, `token`, `binding`, … `S` is its type. */
export interface SubresourceClient<S extends KubeObject = KubeObject> {
  get(reference: ObjectReference, options?: GetOptions): Promise<S>;
  /** For those that are actions: evicting, binding, asking for a token. */
  create(reference: ObjectReference, body: S, options?: WriteOptions): Promise<S>;
  update(reference: ObjectReference, body: S, options?: WriteOptions): Promise<S>;
  patch(reference: ObjectReference, patch: Patch, options?: WriteOptions): Promise<S>;
  apply(reference: ObjectReference, body: object, options: ApplyOptions): Promise<S>;
}

/** autoscaling/v1: the same for everything that has replicas. */
export interface Scale extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

export function createSubresourceClient<S extends KubeObject>(
  sender: Sender,
  resource: Resource,
  subresource: string,
  owner: string | undefined,
): SubresourceClient<S> {
  const ask = async (reference: ObjectReference, parts: Omit<Outgoing, 'path'>): Promise<S> => {
    const outgoing: Outgoing = { path: objectPath(resource, { ...reference, subresource }), ...parts };
    return deepFreeze(objectFromResponse<S>(await sender.send(outgoing), outgoing));
  };
  const called = ({ signal, retry }: GetOptions | WriteOptions): Pick<Outgoing, 'signal' | 'mode'> => ({
    signal,
    mode: retry,
  });
  return Object.freeze({
    get: (reference, options = {}) =>
      ask(reference, { method: 'GET', query: { resourceVersion: options.resourceVersion }, ...called(options) }),
    create: (reference, body, options = {}) =>
      ask(reference, { method: 'POST', body, query: writeQuery(options, owner), ...called(options) }),
    update: (reference, body, options = {}) =>
      ask(reference, { method: 'PUT', body, query: writeQuery(options, owner), ...called(options) }),
    patch: (reference, patch, options = {}) =>
      ask(reference, {
        method: 'PATCH',
        ...patchBody(patch),
        repeatable: 'merge' in patch,
        query: writeQuery(options, owner),
        ...called(options),
      }),
    apply: (reference, body, options) =>
      ask(reference, {
        method: 'PATCH',
        body,
        contentType: 'application/apply-patch+yaml',
        repeatable: true,
        query: { ...writeQuery(options, undefined), force: options.force ? 'true' : undefined },
        ...called(options),
      }),
  } satisfies SubresourceClient<S>);
}
