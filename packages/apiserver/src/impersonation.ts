/** Acting as someone else: who a request is made as, and who may ask for that. */
import type { Impersonation } from '@capstan/kube';
import type { ServerRequest, User } from './request.ts';
import { goQuote } from './schema/go-text.ts';
import { badRequest } from './status.ts';

const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const ANONYMOUS = 'system:anonymous';
const EXTRA_HEADER = 'impersonate-extra-';

/** All values of each header; lower-case names. */
type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Reads the Impersonate-* headers; undefined where there are none. */
export function impersonationOf(headers: Headers): Impersonation | undefined {
  const user = headers['impersonate-user']?.[0] ?? '';
  const uid = headers['impersonate-uid']?.[0];
  const groups = headers['impersonate-group'];
  const extra: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(headers)) {
    if (name.startsWith(EXTRA_HEADER) && values) extra[decoded(name.slice(EXTRA_HEADER.length))] = values;
  }
  const named = uid !== undefined || groups !== undefined || Object.keys(extra).length > 0;
  if (user === '' && !named) return undefined;
  if (user === '') {
    throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  }
  return { user, ...(uid !== undefined && { uid }), ...(groups && { groups }), extra };
}

/** The wish as Go prints it, which is what Kubernetes answers. */
function goUser(
  uid = '',
  groups: readonly string[] | undefined,
  extra: Readonly<Record<string, readonly string[]>>,
): string {
  const strings = (values: readonly string[]): string => `[]string{${values.map(goQuote).join(', ')}}`;
  const list = groups === undefined ? '[]string(nil)' : strings(groups);
  const entries = Object.entries(extra).map(([key, values]) => `${goQuote(key)}:${strings(values)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${list}, Extra:${map}}`;
}

/** A name that is not properly encoded is taken as it stands. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Who the request acts as; whether it may is the authorizer's to say. */
export function actingUser({ user, impersonate }: Pick<ServerRequest, 'user' | 'impersonate'>): User {
  if (!impersonate) return user;
  const { user: name, uid, extra } = impersonate;
  return {
    name,
    groups: groupsOf(impersonate),
    ...(uid !== undefined && { uid }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

/** Everybody who is somebody is authenticated; a ServiceAccount is in the groups of its kind and namespace. */
function groupsOf({ user, groups = [] }: Impersonation): readonly string[] {
  if (user === ANONYMOUS) return groups.length > 0 ? groups : [UNAUTHENTICATED];
  const own = groups.length > 0 ? groups : serviceAccountGroupsOf(user);
  return own.includes(AUTHENTICATED) || own.includes(UNAUTHENTICATED) ? own : [...own, AUTHENTICATED];
}

function serviceAccountGroupsOf(user: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user) ?? [];
  return namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
