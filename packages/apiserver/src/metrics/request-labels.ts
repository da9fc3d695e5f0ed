/** By what a request is counted: the words that Kubernetes' own metrics use. Pure. */
import type { KindDefinition } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import { booleanParameter, type ServerRequest, type Target } from '../request.ts';
import { isApply } from '../write/patch.ts';

export const VERBS = [
  ...['GET', 'LIST', 'WATCH', 'POST', 'PUT', 'PATCH', 'APPLY', 'DELETE', 'DELETECOLLECTION', 'CONNECT', 'other'],
] as const;
export const SCOPES = ['resource', 'namespace', 'cluster', ''] as const;

/** Connections that change hands: their method says nothing. */
const CONNECTING: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Everything else that is asked for is counted together: what clients make up must not become series without end. */
const KNOWN_PATHS: ReadonlySet<string> = new Set([
  ...['/version', '/healthz', '/livez', '/readyz', '/metrics', '/api', '/apis', '/openapi/v2', '/openapi/v3'],
  ...['/.well-known/openid-configuration', '/openid/v1/jwks'],
]);

export type RequestSubject =
  | { readonly type: 'resource'; readonly kind: KindDefinition; readonly subresource: string }
  | { readonly type: 'path'; readonly path: string };

type Asked = Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers'>;

export function subjectOf(kinds: Kinds, { path }: Asked, target: Target | undefined): RequestSubject {
  const kind = target && kinds.find(target.group, target.version, target.plural);
  if (!kind) return { type: 'path', path: KNOWN_PATHS.has(path) ? path : '' };
  return { type: 'resource', kind, subresource: knownSubresource(kind, target.subresource) };
}

function knownSubresource({ subresources }: KindDefinition, name: string | undefined): string {
  if (name === undefined) return '';
  const isKnown =
    name === 'status' || name === 'scale' || name === 'finalize' || subresources.other?.includes(name) === true;
  return isKnown ? name : 'other';
}

export function verbOf(request: Asked, target: Target | undefined): (typeof VERBS)[number] {
  const { method } = request;
  if (target?.subresource !== undefined && CONNECTING.has(target.subresource)) return 'CONNECT';
  if (target?.watching) return 'WATCH';
  const isCollection = target !== undefined && target.name === undefined;
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (!isCollection) return 'GET';
      return request.query.size > 0 && booleanParameter(request.query, 'watch') ? 'WATCH' : 'LIST';
    case 'DELETE':
      return isCollection ? 'DELETECOLLECTION' : 'DELETE';
    case 'PATCH':
      return isApply(request.headers['content-type']) ? 'APPLY' : 'PATCH';
    case 'POST':
    case 'PUT':
      return method;
    default:
      return 'other';
  }
}

export function scopeOf({ method }: Asked, target: Target | undefined): (typeof SCOPES)[number] {
  if (!target) return '';
  if (target.name !== undefined || method === 'POST') return 'resource';
  return target.namespace === undefined ? 'cluster' : 'namespace';
}

export const isMutating = ({ method }: Pick<Asked, 'method'>): boolean => method !== 'GET' && method !== 'HEAD';
