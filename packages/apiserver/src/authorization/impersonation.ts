/** Who may act as someone else: `impersonate` on the user, on each group, on each extra value and on the uid. */
import type { Impersonation } from '@capstan/kube';
import type { User } from '../request.ts';
import type { ResourceAttributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { forbiddenRequest } from './forbidden.ts';

export function authorizeImpersonation(authorizer: Authorizer, user: User, wanted: Impersonation): void {
  for (const attributes of impersonationAttributes(wanted)) {
    const { allowed, reason } = authorizer.authorize(user, attributes);
    if (!allowed) throw forbiddenRequest(user, attributes, reason);
  }
}

export function impersonationAttributes({ user, groups = [], uid, extra = {} }: Impersonation): ResourceAttributes[] {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  const who =
    account === undefined
      ? attributes('', 'users', user)
      : { ...attributes('', 'serviceaccounts', account), namespace: namespace! };
  return [
    who,
    ...groups.map(group => attributes('', 'groups', group)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(value => ({ ...attributes('authentication.k8s.io', 'userextras', value), subresource: key })),
    ),
    ...(uid === undefined || uid === '' ? [] : [attributes('authentication.k8s.io', 'uids', uid)]),
  ];
}

const attributes = (group: string, resource: string, name: string): ResourceAttributes => ({
  type: 'resource',
  verb: 'impersonate',
  group,
  version: 'v1',
  resource,
  subresource: '',
  name,
  namespace: '',
});
