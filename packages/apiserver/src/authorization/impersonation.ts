/**
 * Who may act as someone else. The right of old, `impersonate`, is for whatever one then does. The constrained rights of newer
 * Kubernetes come in pairs: `impersonate:<mode>` for whom, and `impersonate-on:<mode>:<verb>` for what. One of the ways has to be
 * allowed in full.
 */
import type { Impersonation } from '@capstan/kube';
import type { User } from '../request.ts';
import type { StatusError } from '../status.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { MASTERS } from './decision.ts';
import { forbiddenRequest } from './forbidden.ts';

/** `asked` is what the request is about. Throws the refusal of the way that led furthest: it names what is missing. */
export function authorizeImpersonation(
  authorizer: Authorizer,
  user: User,
  wanted: Impersonation,
  asked: Attributes,
): void {
  let furthest: { readonly steps: number; readonly refusal: StatusError } | undefined;
  for (const way of waysToImpersonate(user, wanted, asked)) {
    const steps = way.findIndex(attributes => !authorizer.authorize(user, attributes).allowed);
    if (steps === -1) return;
    if (furthest && furthest.steps >= steps) continue;
    const attributes = way[steps]!;
    const { reason } = authorizer.authorize(user, attributes);
    furthest = { steps, refusal: forbiddenRequest(user, attributes, reason) };
  }
  throw furthest!.refusal;
}

type Mode = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info';

/** Each way is a list of rights, all of which are needed. */
export function waysToImpersonate(user: User, wanted: Impersonation, asked: Attributes): readonly Attributes[][] {
  const constrained = modesFor(user, wanted).map((mode): Attributes[] => [
    { ...asked, verb: `impersonate-on:${mode}:${asked.verb}` },
    ...rightsTo(`impersonate:${mode}`, 'authentication.k8s.io', wanted),
  ]);
  return [...constrained, rightsTo('impersonate', '', wanted)];
}

const NODE = /^system:node:(.+)$/;
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Nodes and service accounts are what their names say: nothing can be added to them. */
function modesFor(user: User, { user: name, groups = [], uid, extra = {} }: Impersonation): readonly Mode[] {
  const isNameOnly = groups.length === 0 && !uid && Object.keys(extra).length === 0;
  const [, node] = NODE.exec(name) ?? [];
  if (node !== undefined) {
    if (!isNameOnly) return [];
    const isOwnNode =
      SERVICE_ACCOUNT.test(user.name) && user.extra?.['authentication.kubernetes.io/node-name']?.[0] === node;
    return isOwnNode ? ['associated-node', 'arbitrary-node'] : ['arbitrary-node'];
  }
  if (SERVICE_ACCOUNT.test(name)) return isNameOnly ? ['serviceaccount'] : [];
  return groups.includes(MASTERS) || groups.includes('') ? [] : ['user-info'];
}

function rightsTo(verb: string, group: string, wanted: Impersonation): ResourceAttributes[] {
  const { user, groups = [], uid, extra = {} } = wanted;
  const right = (of: string, resource: string, name: string): ResourceAttributes => ({
    type: 'resource',
    verb,
    group: of,
    version: 'v1',
    resource,
    subresource: '',
    name,
    namespace: '',
  });
  const [, namespace, account] = SERVICE_ACCOUNT.exec(user) ?? [];
  const [, node] = verb === 'impersonate' ? [] : (NODE.exec(user) ?? []);
  const who =
    account !== undefined
      ? { ...right(group, 'serviceaccounts', account), namespace: namespace! }
      : node !== undefined
        ? right(group, 'nodes', verb === 'impersonate:associated-node' ? '*' : node)
        : right(group, 'users', user);
  return [
    who,
    ...(uid ? [right('authentication.k8s.io', 'uids', uid)] : []),
    ...groups.map(one => right(group, 'groups', one)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(one => ({ ...right('authentication.k8s.io', 'userextras', one), subresource: key })),
    ),
  ];
}
