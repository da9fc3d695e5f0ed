/** Requests below a group and version: what each method means for a collection, an object and a subresource. */
import type { Clock, Random } from '@capstan/kube';
import type { Access } from './access.ts';
import { type Answer, value } from './answer.ts';
import { requestToken, TOKEN_REQUEST } from './authentication/token-request.ts';
import type { KindDefinition, Verb } from './kind.ts';
import type { Kinds } from './kinds.ts';
import { nothingIn } from './not-found.ts';
import { type NodeAgents, POD_STREAMS, readLog, refuseWithoutUpgrade } from './pods/index.ts';
import { list } from './read/list.ts';
import { listOptions } from './read/list-options.ts';
import { selection } from './read/selection.ts';
import { watch } from './read/watch.ts';
import { booleanParameter, type ServerRequest, type Target } from './request.ts';
import { methodNotAllowed, noSuchPath, notFound, notImplemented } from './status.ts';
import { keyOf, tableOf } from './storage.ts';
import type { Store } from './store/store.ts';
import type { Views } from './views.ts';
import { admitTransient } from './write/admit-transient.ts';
import { bind } from './write/binding.ts';
import { type Admission, type WriteContext, writeOptions } from './write/context.ts';
import { create } from './write/create.ts';
import { decodeObject } from './write/decode.ts';
import { remove } from './write/delete.ts';
import { removeAll } from './write/delete-collection.ts';
import { deleteOptions } from './write/delete-options.ts';
import { evict } from './write/eviction.ts';
import { isApply, patch } from './write/patch.ts';
import { handleScale } from './write/scale.ts';
import { replace, type Written } from './write/update.ts';

export interface Backend {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: Kinds;
  readonly views: Views;
  readonly admission: Admission;
  readonly access: Access;
  readonly nodes: NodeAgents;
}

/** Kinds whose deletion answers with the object that is gone; others answer with a Status. */
const RETURNS_DELETED: ReadonlySet<string> = new Set([
  '/resourcequotas',
  '/persistentvolumes',
  '/serviceaccounts',
  '/persistentvolumeclaims',
  '/namespaces',
  '/pods',
  '/services',
  'storage.k8s.io/storageclasses',
]);

/** A request for a kind, with what it takes to answer it. */
export interface Call {
  readonly backend: Backend;
  readonly request: ServerRequest;
  readonly target: Target;
  readonly kind: KindDefinition;
  /** Puts a sentence into the Warning header. */
  readonly warn: (text: string) => void;
}

export async function handleResource(
  backend: Backend,
  request: ServerRequest,
  target: Target,
  warn: (text: string) => void,
): Promise<Answer> {
  const kind = backend.kinds.find(target.group, target.version, target.plural);
  if (!kind) return nothingIn(backend.kinds, target.group);
  if (target.namespace !== undefined && !kind.namespaced) return nothingIn(backend.kinds, target.group);
  if (kind.deprecation !== undefined) warn(kind.deprecation);
  const call: Call = { backend, request, target, kind, warn };
  if (target.watching) return watchOld(call);
  if (target.subresource !== undefined) return handleSubresource(call);
  if (target.name === undefined) return handleCollection(call);
  return handleObject(call);
}

/** The path of old: a name in it selects that one object. */
function watchOld({ backend, request, target, kind }: Call): Answer {
  if (request.method !== 'GET' || target.subresource !== undefined) throw methodNotAllowed();
  const query = new URLSearchParams(request.query);
  if (target.name !== undefined) query.set('fieldSelector', `metadata.name=${target.name}`);
  const selected = selection(kind, target.namespace, query);
  return { kind: 'watch', watch: watch({ ...backend, kind, selected, options: listOptions(query, true) }) };
}

function allow(kind: KindDefinition, verb: Verb): void {
  if (!kind.verbs.includes(verb)) throw methodNotAllowed();
}

async function handleCollection(call: Call): Promise<Answer> {
  const { backend, request, target, kind } = call;
  switch (request.method) {
    case 'GET': {
      const watching = booleanParameter(request.query, 'watch');
      allow(kind, watching ? 'watch' : 'list');
      const options = listOptions(request.query, watching);
      const selected = selection(kind, target.namespace, request.query);
      if (watching) return { kind: 'watch', watch: watch({ ...backend, kind, selected, options }) };
      return list(backend, kind, selected, options);
    }
    case 'POST': {
      allow(kind, 'create');
      // A namespaced object can only be created in a namespace; the cluster-wide path only lists.
      if (kind.namespaced && target.namespace === undefined) throw methodNotAllowed();
      const context = writeContext(call);
      const draft = decodeObject(context, request.body, request.headers['content-type']);
      return { kind: 'entry', status: 201, entry: await create(context, draft) };
    }
    case 'DELETE': {
      allow(kind, 'deletecollection');
      return deleteCollection(call);
    }
    default:
      throw methodNotAllowed();
  }
}

async function handleObject(call: Call): Promise<Answer> {
  const { request, target, kind } = call;
  if (kind.namespaced && target.namespace === undefined) throw noSuchPath();
  const name = target.name!;
  switch (request.method) {
    case 'GET': {
      allow(kind, 'get');
      return readObject(call);
    }
    case 'PUT':
    case 'PATCH':
      return writeObject(call);
    case 'DELETE': {
      allow(kind, 'delete');
      const options = deleteOptions(request);
      const context = writeContext(call);
      const { gone, entry } = await remove(context, name, options);
      if (!gone) return { kind: 'entry', status: options.orphanDependents === false ? 202 : 200, entry };
      if (RETURNS_DELETED.has(tableOf(kind))) return { kind: 'entry', status: 200, entry };
      return value(deletedStatus(kind, name, entry.object.metadata.uid));
    }
    default:
      throw methodNotAllowed();
  }
}

async function readObject({ backend: { store, views }, kind, target }: Call): Promise<Answer> {
  const entry = store.get(tableOf(kind), keyOf(target.namespace, target.name!));
  if (!entry) throw notFound(kind, target.name!);
  return { kind: 'entry', status: 200, entry: await views.of(kind, entry) };
}

async function writeObject(call: Call, subresource: '' | 'status' = ''): Promise<Answer> {
  const { request, target, kind } = call;
  allow(kind, request.method === 'PUT' ? 'update' : 'patch');
  const context = writeContext(call, subresource);
  const name = target.name!;
  const written: Written =
    request.method === 'PATCH'
      ? await patch(context, name, request)
      : await replace(context, name, decodeObject(context, request.body, request.headers['content-type']));
  return { kind: 'entry', status: written.created ? 201 : 200, entry: written.entry };
}

async function handleSubresource(call: Call): Promise<Answer> {
  const { backend, request, target, kind } = call;
  const { subresource } = target;
  if (kind.namespaced && target.namespace === undefined) throw noSuchPath();
  if (subresource === 'status' && kind.subresources.status) {
    if (request.method === 'GET') return readObject(call);
    if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed();
    return writeObject(call, 'status');
  }
  if (subresource === 'scale' && kind.subresources.scale) {
    const context = writeContext(call);
    return value(await handleScale(context, target.name!, request, kind.subresources.scale));
  }
  if (subresource === 'finalize' && kind.group === '' && kind.kind === 'Namespace') {
    if (request.method !== 'PUT') throw methodNotAllowed();
    return finalizeNamespace(call);
  }
  if (kind.group === '' && kind.kind === 'Pod' && (subresource === 'binding' || subresource === 'eviction')) {
    if (request.method !== 'POST') throw methodNotAllowed();
    const context = writeContext(call);
    await (subresource === 'binding' ? bind : evict)(context, target.name!, request);
    return value({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201);
  }
  if (subresource === 'token' && kind.group === '' && kind.kind === 'ServiceAccount') {
    if (request.method !== 'POST') throw methodNotAllowed();
    const context: WriteContext = {
      ...writeContext({ ...call, kind: TOKEN_REQUEST }),
      resource: kind,
      subresource: 'token',
    };
    const submitted = decodeObject(context, request.body, request.headers['content-type']);
    const draft = await admitTransient(context, submitted);
    await context.admission.validate({ type: 'CREATE', object: draft }, context);
    return value(requestToken(context, target.name!, draft, backend.access.serviceAccounts), 201);
  }
  if (kind.group === '' && kind.kind === 'Pod' && target.rest.length === 0) {
    if (subresource === 'log') return readLog(call);
    if (POD_STREAMS.has(subresource!)) return refuseWithoutUpgrade(call);
  }
  if (kind.subresources.other?.includes(subresource!)) {
    throw notImplemented(`${kind.plural}/${subresource} is not served by this cluster yet`);
  }
  throw kind.custom ? notFound(kind, target.name!) : noSuchPath();
}

/** Only `spec.finalizers` changes here; when the last one is gone, so is the namespace. */
async function finalizeNamespace(call: Call): Promise<Answer> {
  const { request, target, kind } = call;
  const finalizing: KindDefinition = {
    ...kind,
    schema: kind.schema,
    strategy: { ...kind.strategy, prepareForUpdate: (draft, old) => void (draft['status'] = old['status']) },
  };
  const context: WriteContext = {
    ...writeContext({ ...call, kind: finalizing }),
    resource: kind,
    subresource: 'finalize',
  };
  const draft = decodeObject(context, request.body, request.headers['content-type']);
  const { entry } = await replace(context, target.name!, draft);
  return { kind: 'entry', status: 200, entry };
}

async function deleteCollection(call: Call): Promise<Answer> {
  const { backend, request, target, kind } = call;
  if (kind.namespaced && target.namespace === undefined) throw methodNotAllowed();
  const selected = selection(kind, target.namespace, request.query);
  const options = deleteOptions(request);
  const found = await list(backend, kind, selected, listOptions(request.query, false));
  if (found.kind !== 'list') return found;
  const removed = await removeAll(writeContext(call), found.entries, options);
  // As they were when they were chosen, those that someone else removed first left out.
  return { ...found, entries: found.entries.filter((_, index) => removed[index] !== undefined) };
}

/** What a write through this request knows. */
export function writeContext(call: Call, subresource: '' | 'status' = ''): WriteContext {
  const { backend, request, target, kind, warn } = call;
  const applying = request.method === 'PATCH' && isApply(request.headers['content-type']);
  return {
    ...backend,
    kind,
    namespace: kind.namespaced ? target.namespace : undefined,
    name: target.name,
    subresource,
    user: request.user,
    options: writeOptions(request, applying),
    applying,
    warn,
  };
}

const deletedStatus = (kind: KindDefinition, name: string, uid: string | undefined): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.plural, uid },
});
