/** Reads what a path and a query ask for, before anything is looked up. */
import type { Impersonation } from '@capstan/kube';
import { badRequest } from './status.ts';

export interface ServerRequest {
  readonly method: string;
  /** Decoded path segments are taken from this, so it is still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: RequestBody;
  /** Who sends it. What it is done as comes from `impersonate`, where that is given. */
  readonly user: User;
  readonly impersonate?: Impersonation | undefined;
  readonly signal: AbortSignal;
}

/** Bytes from the network, or a value from inside the process; it is neither kept nor changed. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'value'; readonly value: unknown };

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a resource path names: `/apis/apps/v1/namespaces/default/deployments/web/scale`. */
export interface Target {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** `/api/v1/watch/…`, as clients of old ask for a watch. */
  readonly watching: boolean;
  /** What follows a subresource, as in `…/pods/a/proxy/some/path`. */
  readonly rest: readonly string[];
}

/** Undefined when the path is not below a group and version. */
export function parseTarget(path: string): Target | undefined {
  const parts = path.split('/').filter(part => part !== '');
  const root = parts.shift();
  let group = '';
  if (root === 'apis') group = parts.shift() ?? '';
  else if (root !== 'api') return undefined;
  const version = parts.shift();
  if (version === undefined || parts.length === 0) return undefined;

  const watching = parts[0] === 'watch' && parts.length > 1;
  if (watching) parts.shift();
  let namespace: string | undefined;
  // `/namespaces/x` is the object; `/namespaces/x/pods` the Pods in it; `/namespaces/x/status` its subresource.
  if (parts[0] === 'namespaces' && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2]!)) {
    namespace = segment(parts[1]!);
    parts.splice(0, 2);
  }
  const [plural, name, subresource, ...rest] = parts;
  return {
    group,
    version,
    plural: plural!,
    namespace,
    name: name === undefined ? undefined : segment(name),
    subresource,
    watching,
    rest,
  };
}

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

function segment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`invalid path segment ${JSON.stringify(text)}: it is not properly percent-encoded`);
  }
}

export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  // As Kubernetes reads them: anything but false and 0 is true, an empty value included.
  return value !== null && value !== 'false' && value !== '0';
}

export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  const refused = (why: string) => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);
  if (!/^[-+]?\d+$/.test(value)) throw refused('invalid syntax');
  // The digits that an int64 has at most; with more, the text is not even worth reading.
  const digits = value.replace(/^[-+]?0*/, '');
  if (digits.length > 19) throw refused('value out of range');
  const magnitude = BigInt(digits || '0');
  if (magnitude > (value.startsWith('-') ? 2n ** 63n : 2n ** 63n - 1n)) throw refused('value out of range');
  return Number(value);
}
