/** Who may what: pure, from the policy as it is now. */
import type { PolicyRule } from '@capstan/kube';
import type { User } from '../request.ts';
import { goQuote } from '../schema/go-text.ts';
import type { Attributes } from './attributes.ts';
import { type Binding, keysOf, type Policy } from './policy.ts';
import type { CompiledRule } from './rule.ts';

export interface Decision {
  readonly allowed: boolean;
  /** Which binding allows it; where nothing does, what stands in the way of knowing, if anything. */
  readonly reason: string;
}

/** Its members may do anything, whatever the roles say: without it, nobody could repair a broken policy. */
export const MASTERS = 'system:masters';

export function decide(policy: Policy, user: User, attributes: Attributes): Decision {
  if (user.groups.includes(MASTERS)) return { allowed: true, reason: '' };
  const problems = new Set<string>();
  const keys = keysOf(user);
  for (const found of grants(policy, keys, namespaceOf(attributes))) {
    if ('problem' in found) problems.add(found.problem);
    else if (found.rules.some(rule => rule.allows(attributes))) {
      // Put into words only for who asks: nearly every request is allowed, and nobody reads why.
      return {
        allowed: true,
        get reason() {
          return `RBAC: allowed by ${describe(found.binding, keys)}`;
        },
      };
    }
  }
  return { allowed: false, reason: problems.size === 0 ? '' : `rbac: RBAC: ${aggregate([...problems])}` };
}

/** Everything that a user may do in a namespace (and, from cluster-wide bindings, elsewhere too). */
export function rulesFor(
  policy: Policy,
  user: User,
  namespace: string,
): { readonly rules: readonly PolicyRule[]; readonly problem: string | undefined } {
  const rules: PolicyRule[] = [];
  const problems = new Set<string>();
  for (const found of grants(policy, keysOf(user), namespace)) {
    if ('problem' in found) problems.add(found.problem);
    else for (const { rule } of found.rules) rules.push(rule);
  }
  return { rules, problem: problems.size === 0 ? undefined : aggregate([...problems]) };
}

type Grant = { readonly binding: Binding; readonly rules: readonly CompiledRule[] } | { readonly problem: string };

function* grants(policy: Policy, keys: readonly string[], namespace: string): Generator<Grant> {
  for (const scope of namespace === '' ? [''] : ['', namespace]) {
    for (const binding of policy.bindings(scope, keys)) {
      const rules = policy.rules(binding.role, scope);
      yield rules ? { binding, rules } : { problem: missingRole(binding) };
    }
  }
}

const missingRole = ({ role }: Binding): string =>
  `${role.kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(role.name)} not found`;

const aggregate = (problems: readonly string[]): string =>
  problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;

const namespaceOf = (attributes: Attributes): string => (attributes.type === 'resource' ? attributes.namespace : '');

/** `RoleBinding "read/default" of Role "reader" to User "bob"`. */
function describe({ name, namespace, role, subjects }: Binding, keys: readonly string[]): string {
  const { subject } = subjects.find(({ key }) => keys.includes(key))!;
  const subjectName =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const bindingName = namespace === '' ? name : `${name}/${namespace}`;
  return `${kind} ${goQuote(bindingName)} of ${role.kind} ${goQuote(role.name)} to ${subject.kind} ${goQuote(subjectName)}`;
}
