/** One rule of a role, made ready to be asked often. */
import type { PolicyRule } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import type { Attributes } from './attributes.ts';

export interface CompiledRule {
  /** As it was written, for those who list what they may. */
  readonly rule: PolicyRule;
  allows(attributes: Attributes): boolean;
}

const ANY = '*';

export function compileRule(rule: PolicyRule): CompiledRule {
  const verb = oneOf(rule.verbs);
  const group = oneOf(rule.apiGroups);
  const resources = new Set(rule.resources);
  const names = new Set(rule.resourceNames);
  const paths = rule.nonResourceURLs ?? [];
  const allowsResource = (resource: string, subresource: string): boolean => {
    if (resources.has(ANY)) return true;
    if (subresource === '') return resources.has(resource);
    return resources.has(`${resource}/${subresource}`) || resources.has(`*/${subresource}`);
  };
  return {
    rule,
    allows(asked) {
      if (!verb(asked.verb)) return false;
      if (asked.type === 'path') return paths.some(path => coversPath(path, asked.path));
      return (
        group(asked.group) &&
        allowsResource(asked.resource, asked.subresource) &&
        (names.size === 0 || names.has(asked.name))
      );
    },
  };
}

function oneOf(allowed: readonly string[] | undefined): (value: string) => boolean {
  const set = new Set(allowed);
  return set.has(ANY) ? () => true : value => set.has(value);
}

/** `/healthz/*` covers everything that begins with `/healthz/`. */
export function coversPath(allowed: string, path: string): boolean {
  return allowed === path || (allowed.endsWith(ANY) && path.startsWith(allowed.replace(/\*+$/, '')));
}

const compiled = new WeakMap<Stored, readonly CompiledRule[]>();

/** The rules of a Role or ClusterRole. A stored version never changes, so they are compiled once. */
export function rulesOf(role: Stored): readonly CompiledRule[] {
  let rules = compiled.get(role);
  if (!rules) {
    rules = ((role['rules'] ?? []) as readonly PolicyRule[]).map(compileRule);
    compiled.set(role, rules);
  }
  return rules;
}
