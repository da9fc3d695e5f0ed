/** A write as the transport sees it: what it was aimed at, what it was guarded by, what came of it. */
import { type ApiRequest, type ApiResponse, deepEqual, type KubeObject } from '@capstan/kube';
import type { Change } from './store.ts';

/** What a request path addresses. */
export interface Target {
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  /** Missing for a create by `generateName` and for a deletion of many. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Reads `/apis/apps/v1/namespaces/default/deployments/web/status`; `undefined` for paths that are no resource. */
export function targetOf(path: string): Target | undefined {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const group = parts[0] === 'api' ? '' : parts[0] === 'apis' ? parts[1] : undefined;
  if (group === undefined) return undefined;
  const rest = parts.slice(group === '' ? 2 : 3);
  // `namespaces/x/status` is a part of the namespace itself, `namespaces/x/pods` is what lives in it.
  const inside = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize';
  const [plural, name, subresource] = inside ? rest.slice(2) : rest;
  if (plural === undefined) return undefined;
  return { group, plural, namespace: inside ? rest[1]! : '', name, subresource };
}

export interface Write {
  readonly target: Target;
  /** Who wrote: the name of a controller. */
  readonly writer: string | undefined;
  readonly method: ApiRequest['method'];
  readonly body: unknown;
  readonly partial: boolean;
  /** The version that the object must have had for the write to succeed. */
  readonly guard: string | undefined;
}

/** The write in a request, or `undefined` when it reads, only pretends (dry run), or touches no object of a kind. */
export function writeOf(request: ApiRequest, writer: string | undefined): Write | undefined {
  if (request.method === 'GET' || request.query?.['dryRun'] !== undefined) return undefined;
  const target = targetOf(request.path);
  if (target === undefined) return undefined;
  if (target.subresource !== undefined && target.subresource !== 'status' && target.subresource !== 'finalize') {
    return undefined;
  }
  const { method, body, contentType = 'application/json' } = request;
  const partial = /apply-patch|merge-patch/.test(contentType);
  const named = target.name === undefined && method === 'POST' ? { ...target, name: nameIn(body) } : target;
  return { target: named, writer, method, body, partial, guard: guardOf(method, body) };
}

function nameIn(body: unknown): string | undefined {
  const name = field(field(body, 'metadata'), 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function guardOf(method: ApiRequest['method'], body: unknown): string | undefined {
  if (method === 'POST') return undefined;
  if (Array.isArray(body)) {
    const test = body.find(operation => operation.op === 'test' && operation.path === '/metadata/resourceVersion');
    return typeof test?.value === 'string' ? test.value : undefined;
  }
  const holder = method === 'DELETE' ? field(body, 'preconditions') : field(body, 'metadata');
  const version = field(holder, 'resourceVersion');
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** What the answer says became of the object. */
export type Written =
  /** It is now like this. */
  | { readonly type: 'stored'; readonly object: KubeObject }
  /** It is gone; all that is known of it is its uid. */
  | { readonly type: 'removed'; readonly uid: string | undefined }
  /** Nothing was written as far as we know. */
  | { readonly type: 'nothing' };

export function writtenBy(write: Write, response: ApiResponse | undefined): Written {
  if (response === undefined || response.status >= 300) return { type: 'nothing' };
  const version = field(field(response.body, 'metadata'), 'resourceVersion');
  if (typeof version === 'string' && field(response.body, 'kind') !== 'Status' && !isListOf(response.body)) {
    return { type: 'stored', object: response.body as KubeObject };
  }
  if (write.method !== 'DELETE' || write.target.name === undefined) return { type: 'nothing' };
  const uid = field(field(response.body, 'details'), 'uid');
  return { type: 'removed', uid: typeof uid === 'string' ? uid : undefined };
}

/**
 * Whether a change is the work of this write and of nothing else. That takes proof: that nothing was there before a create, that the
 * write was guarded by the very version it replaced, or that nothing differs but what it set.
 */
export function explains(write: Write, object: KubeObject, change: Change): boolean {
  if (change.type === 'deleted') return false;
  const { metadata } = change.object;
  if (metadata.resourceVersion !== object.metadata.resourceVersion || metadata.uid !== object.metadata.uid)
    return false;
  if (change.previous === undefined) return true;
  if (change.previous.metadata.uid !== metadata.uid) return false;
  if (write.guard !== undefined) return write.guard === change.previous.metadata.resourceVersion;
  return (
    write.partial &&
    differsOnlyWithin(withoutBookkeeping(change.previous), withoutBookkeeping(change.object), write.body)
  );
}

/** What the server keeps count of by itself. */
function withoutBookkeeping(object: KubeObject): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function differsOnlyWithin(before: unknown, after: unknown, body: unknown): boolean {
  if (deepEqual(before, after) || deepEqual(after, body)) return true;
  if (!isRecord(after) || !isRecord(body) || !(isRecord(before) || before === undefined)) return false;
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...keys].every(key => {
    const [old, now] = [field(before, key), after[key]];
    return deepEqual(old, now) || (key in body && differsOnlyWithin(old, now, body[key] ?? undefined));
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown): boolean {
  return Array.isArray(field(value, 'items'));
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
