/**
 * The client: typed, for any kind, without generated code. What it gives out is frozen, so that it can be shared; edit a
 * `draft()`. A failure of the API is an `ApiError` (`isNotFound`, `isConflict`, …); no answer at all is a `TransportError`.
 */
import { type Clock, type Random, systemClock, systemRandom } from '../clock.ts';
import { isGone } from '../errors.ts';
import { deepFreeze } from '../json.ts';
import type { KubeObject, ObjectList, Status } from '../object.ts';
import { apiVersionOf, collectionPath, objectPath, type PathParts, type Resource } from '../resource.ts';
import type { ApiRequest, ApiResponse, Impersonation, Transport } from '../transport.ts';
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import { deleteBody, listQuery, selectionQuery, watchQuery, writeQuery } from './query.ts';
import { finished, objectFromResponse } from './response.ts';
import { defaultRetryPolicy, type RetryMode, type RetryPolicy } from './retry.ts';
import { type Outgoing, Sender } from './send.ts';
import {
  type AppliedObject,
  type AppliedStatus,
  type NewObject,
  type ObjectReference,
  type Patch,
  patchBody,
} from './shapes.ts';
import { createSubresourceClient, type Scale, type SubresourceClient } from './subresource.ts';
import { createWatch, type Watch } from './watch.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Any part of it; the rest is `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy>;
  /** Make every request as someone else; see also `Client.as`. */
  readonly impersonate?: Impersonation | undefined;
  /** Shown in the server's audit log, and the default owner of fields up to its first `/`. Default: `capstan`. */
  readonly userAgent?: string;
  /** `fieldManager` of writes that name none. An apply always names its own. */
  readonly owner?: string;
  /** Told of each `Warning` that the server attaches to an answer (deprecated versions, unknown fields). */
  readonly onWarning?: (text: string, request: string) => void;
}

export interface Client {
  readonly transport: Transport;

  get<T extends KubeObject>(resource: Resource<T>, reference: ObjectReference, options?: GetOptions): Promise<T>;

  /** One request. With `limit` it gives one page, and `metadata.continue` if there are more. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions<T>): Promise<ObjectList<T>>;

  /**
   * The pages of a list, one after the other, each asked for when it is wanted. All show the state of one moment. If the
   * reader is so slow that this moment is forgotten, it throws (`isGone`): what was read cannot be completed consistently.
   */
  pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions<T> & { readonly limit: number },
  ): AsyncIterable<ObjectList<T>>;

  /** All pages in one list. If the moment they show is forgotten on the way, it starts over with a single request. */
  listAll<T extends KubeObject>(resource: Resource<T>, options?: ListOptions<T>): Promise<ObjectList<T>>;

  /** @example for await (const event of client.watch(pods, { from: list.metadata.resourceVersion })) … */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions<T>): Watch<T>;

  create<T extends KubeObject>(resource: Resource<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;

  /** Replaces the object. With its `resourceVersion` it fails with a Conflict if someone else was faster. */
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;

  /** Replaces the status alone; whatever else the object holds is ignored. */
  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;

  patch<T extends KubeObject>(
    resource: Resource<T>,
    reference: ObjectReference,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;

  /**
   * Server-side apply: the object is created or changed so that the given fields are as given, fields that this owner
   * applied before and leaves out now are removed, and everyone else's stay.
   */
  apply<T extends KubeObject>(resource: Resource<T>, object: AppliedObject<T>, options: ApplyOptions): Promise<T>;

  applyStatus<T extends KubeObject>(resource: Resource<T>, status: AppliedStatus<T>, options: ApplyOptions): Promise<T>;

  /** Gives the object in its last state (with a `deletionTimestamp` while finalizers hold it), or a Status when it is gone. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    reference: ObjectReference,
    options?: DeleteOptions,
  ): Promise<T | Status>;

  /** Deletes every object of the selection, in one namespace: the API refuses to do it in all of them at once. */
  deleteCollection(resource: Resource, options?: DeleteCollectionOptions): Promise<void>;

  /** @example await client.subresource(pods, 'eviction').create({ namespace, name }, eviction) */
  subresource<S extends KubeObject>(resource: Resource, name: string): SubresourceClient<S>;

  scale(resource: Resource): SubresourceClient<Scale>;

  /** Any request, with the client's retries and errors: discovery, `/version`, metrics. The answer is frozen. */
  request(request: ApiRequest & { readonly retry?: RetryMode }): Promise<ApiResponse>;

  /** This client, acting as someone else. */
  as(impersonate: Impersonation): Client;
}

/** @example const client = createClient(await connect()); */
export function createClient(options: ClientOptions): Client {
  const {
    transport,
    clock = systemClock,
    random = systemRandom,
    userAgent = 'capstan',
    impersonate,
    onWarning,
  } = options;
  const owner = options.owner ?? userAgent.split('/')[0];
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const sender = new Sender({ transport, clock, random, policy, userAgent, impersonate, onWarning });

  const askObject = async <T extends KubeObject>(resource: Resource<T>, outgoing: Outgoing): Promise<T> => {
    const response = await sender.send(outgoing);
    return finished(objectFromResponse<T>(response, outgoing), resource);
  };

  const write = async <T extends KubeObject>(
    resource: Resource<T>,
    method: 'POST' | 'PUT' | 'PATCH',
    at: PathParts,
    content: Pick<Outgoing, 'body' | 'contentType' | 'repeatable'>,
    settings: WriteOptions,
  ): Promise<T> =>
    askObject(resource, {
      method,
      path: objectPath(resource, at),
      query: writeQuery(settings, owner),
      ...content,
      ...callParts(settings),
    });

  const list = async <T extends KubeObject>(
    resource: Resource<T>,
    { transform, ...settings }: ListOptions<T> = {},
  ): Promise<ObjectList<T>> => {
    const outgoing: Outgoing = {
      method: 'GET',
      path: collectionPath(resource, settings.namespace),
      query: listQuery(settings),
      headers: acceptHeader(resource, 'PartialObjectMetadataList'),
      ...callParts(settings),
    };
    const answer = objectFromResponse<ObjectList<T>>(await sender.send(outgoing), outgoing);
    return Object.freeze({
      ...answer,
      metadata: deepFreeze(answer.metadata),
      items: Object.freeze((answer.items ?? []).map(item => finished(item, resource, transform))),
    });
  };

  async function* pages<T extends KubeObject>(
    resource: Resource<T>,
    settings: ListOptions<T>,
  ): AsyncGenerator<ObjectList<T>> {
    // The token stands for the moment of the first page; the server refuses a version beside it.
    const { resourceVersion: _, resourceVersionMatch: __, ...following } = settings;
    let page = await list(resource, settings);
    yield page;
    while (page.metadata.continue) {
      page = await list(resource, { ...following, continue: page.metadata.continue });
      yield page;
    }
  }

  const client: Client = {
    transport,

    get: async (resource, reference, settings = {}) =>
      askObject(resource, {
        method: 'GET',
        path: objectPath(resource, reference),
        query: { resourceVersion: settings.resourceVersion },
        headers: acceptHeader(resource, 'PartialObjectMetadata'),
        ...callParts(settings),
      }),

    list,
    pages,

    async listAll(resource, settings = {}) {
      try {
        const collected = await Array.fromAsync(pages(resource, settings));
        const last = collected.at(-1)!;
        if (collected.length === 1) return last;
        return Object.freeze({ ...last, items: Object.freeze(collected.flatMap(page => page.items)) });
      } catch (error) {
        if (settings.limit === undefined || !isGone(error)) throw error;
        return list(resource, { ...settings, limit: undefined, continue: undefined });
      }
    },

    watch: (resource, { transform, ...settings } = {}) =>
      createWatch({
        resource,
        transform,
        signal: settings.signal,
        monotonic: () => clock.monotonic(),
        connect: async signal =>
          sender.openWatch({
            method: 'GET',
            path: collectionPath(resource, settings.namespace),
            query: watchQuery(settings),
            headers: acceptHeader(resource, 'PartialObjectMetadata'),
            ...callParts(settings),
            signal,
          }),
      }),

    create: (resource, object, settings = {}) =>
      write(resource, 'POST', { namespace: object.metadata.namespace }, { body: typed(resource, object) }, settings),

    update: (resource, object, settings = {}) =>
      write(resource, 'PUT', placeOf(object), { body: typed(resource, object) }, settings),

    updateStatus: (resource, object, settings = {}) =>
      write(
        resource,
        'PUT',
        { ...placeOf(object), subresource: 'status' },
        { body: typed(resource, object) },
        settings,
      ),

    patch: (resource, reference, patch, settings = {}) =>
      write(
        resource,
        'PATCH',
        { ...reference, subresource: settings.subresource },
        { ...patchBody(patch), repeatable: 'merge' in patch },
        settings,
      ),

    apply: async (resource, object, settings) =>
      askObject(resource, applyRequest(resource, placeOf(object), typed(resource, object), settings)),

    async applyStatus(resource, { namespace, name, status, resourceVersion }, settings) {
      const metadata = { name, namespace, resourceVersion };
      const place = { namespace, name, subresource: 'status' };
      return askObject(resource, applyRequest(resource, place, typed(resource, { metadata, status }), settings));
    },

    async delete<T extends KubeObject>(
      resource: Resource<T>,
      reference: ObjectReference,
      settings: DeleteOptions = {},
    ) {
      const outgoing: Outgoing = {
        method: 'DELETE',
        path: objectPath(resource, reference),
        body: deleteBody(settings),
        repeatable: settings.preconditions?.uid !== undefined,
        ...callParts(settings),
      };
      return deepFreeze(objectFromResponse<T | Status>(await sender.send(outgoing), outgoing));
    },

    async deleteCollection(resource, settings = {}) {
      await sender.send({
        method: 'DELETE',
        path: objectPath(resource, { namespace: settings.namespace }),
        query: selectionQuery(settings),
        body: deleteBody(settings),
        ...callParts(settings),
      });
    },

    subresource: (resource, name) => createSubresourceClient(sender, resource, name, owner),
    scale: resource => createSubresourceClient(sender, resource, 'scale', owner),

    async request({ retry, ...request }) {
      const response = await sender.send({ ...request, mode: retry });
      return deepFreeze({ ...response });
    },

    as: someone => createClient({ ...options, impersonate: someone }),
  };
  return Object.freeze(client);
}

function callParts({ signal, retry }: { signal?: AbortSignal | undefined; retry?: RetryMode }): Partial<Outgoing> {
  return { ...(signal === undefined ? {} : { signal }), ...(retry === undefined ? {} : { mode: retry }) };
}

function applyRequest(resource: Resource, place: PathParts, body: object, settings: ApplyOptions): Outgoing {
  return {
    method: 'PATCH',
    path: objectPath(resource, place),
    query: { ...writeQuery(settings, undefined), force: settings.force ? 'true' : undefined },
    contentType: 'application/apply-patch+yaml',
    body,
    repeatable: true,
    ...callParts(settings),
  };
}

/** `metadataOnly` kinds ask for it by content negotiation, and name plain JSON as well for servers that cannot. */
function acceptHeader(resource: Resource, shape: string): Record<string, string> {
  if (!resource.metadataOnly) return { accept: 'application/json' };
  return { accept: `application/json;as=${shape};g=meta.k8s.io;v=v1,application/json` };
}

function typed(resource: Resource, object: object): object {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

function placeOf({ metadata }: { metadata: { name: string; namespace?: string | undefined } }): PathParts {
  return { namespace: metadata.namespace, name: metadata.name };
}
