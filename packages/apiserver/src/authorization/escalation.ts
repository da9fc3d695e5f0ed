/** Who writes a role or a binding cannot give more than they have, unless they may `escalate` or `bind`. */
import { deepEqual, type PolicyRule, type RoleReference } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import type { User } from '../request.ts';
import { goQuote, goQuoteList } from '../schema/go-text.ts';
import { forbidden, notFound } from '../status.ts';
import type { Admission, AdmissionOperation, WriteContext } from '../write/context.ts';
import type { RoleAuthorizer } from './authorizer.ts';
import { describeRules, uncovered } from './coverage.ts';
import { MASTERS } from './decision.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Runs after the other admission, on what would be written. */
export function withoutEscalation(inner: Admission, authorizer: RoleAuthorizer): Admission {
  return {
    ...inner,
    async admit(operation, context) {
      const draft = await inner.admit(operation, context);
      const { kind, user } = context;
      if (kind.group !== GROUP || operation.type === 'DELETE' || user.groups.includes(MASTERS)) return draft;
      if (operation.type === 'UPDATE' && isCollectorsWork(draft, operation.old)) return draft;
      if (kind.kind.endsWith('Binding')) checkBinding(draft, context, authorizer);
      else checkRole(draft, operation, context, authorizer);
      return draft;
    },
  };
}

/** The garbage collector edits finalizers and owners of what others wrote. */
function isCollectorsWork(draft: Draft, old: Stored): boolean {
  return deepEqual(withoutOwnership(draft), withoutOwnership(old));
}

function withoutOwnership(object: Draft | Stored): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Gathering the rules of other roles can gather anything. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function checkRole(
  draft: Draft,
  operation: AdmissionOperation,
  context: WriteContext,
  authorizer: RoleAuthorizer,
): void {
  const { kind, user, namespace = '' } = context;
  const name = draft.metadata.name ?? '';
  const escalate = {
    type: 'resource',
    verb: 'escalate',
    group: GROUP,
    version: '*',
    resource: kind.plural,
    subresource: '',
    // A create has no name in its path, so a right to escalate that names its roles does not reach it.
    name: operation.type === 'CREATE' && !context.applying ? '' : name,
    namespace,
  } as const;
  if (authorizer.authorize(user, escalate).allowed) return;
  const held = authorizer.rulesFor(user, namespace);
  const missing = uncovered(held.rules, (draft['rules'] ?? []) as readonly PolicyRule[]);
  if (missing.length > 0) throw forbidden(kind, name, grantsTooMuch(user, missing, held.problem));
  const aggregates = hasAggregation(draft) || (operation.type === 'UPDATE' && hasAggregation(operation.old));
  if (aggregates && uncovered(held.rules, EVERYTHING).length > 0) {
    throw forbidden(kind, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

const hasAggregation = (role: Draft | Stored): boolean =>
  (role['aggregationRule']?.clusterRoleSelectors ?? []).length > 0;

function checkBinding(draft: Draft, { kind, user, namespace = '' }: WriteContext, authorizer: RoleAuthorizer): void {
  const role = (draft['roleRef'] ?? {}) as Partial<RoleReference>;
  if (role.kind !== 'Role' && role.kind !== 'ClusterRole') return; // validation says what is wrong with it
  const plural = role.kind === 'Role' ? 'roles' : 'clusterroles';
  const roleName = role.name ?? '';
  const bind = {
    type: 'resource',
    verb: 'bind',
    group: role.apiGroup ?? '',
    version: '*',
    resource: plural,
    subresource: '',
    name: roleName,
    namespace,
  } as const;
  if (authorizer.authorize(user, bind).allowed) return;
  const rules = authorizer.rulesOf(role as RoleReference, namespace);
  // Kubernetes says it of the binding, whose request it is.
  if (!rules) throw notFound(kind, roleName);
  const held = authorizer.rulesFor(user, namespace);
  const missing = uncovered(held.rules, rules);
  if (missing.length > 0) throw forbidden(kind, draft.metadata.name ?? '', grantsTooMuch(user, missing, held.problem));
}

function grantsTooMuch(user: User, missing: readonly PolicyRule[], problem: string | undefined): string {
  const head = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
  const message = `${head} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`;
  return problem === undefined ? message : `${message}; resolution errors: [${problem}]`;
}
