/** Which requests a rule of a webhook is about. */

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** As it stands in a configuration. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  // `pods`, `pods/status`, `pods/*`, `*`, `*/scale`, `*/*`.
  readonly resources?: readonly string[];
  readonly scope?: '*' | 'Cluster' | 'Namespaced';
}

export interface RuleSubject {
  readonly operation: Operation;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespaced: boolean;
}

export function ruleMatches(rule: Rule, subject: RuleSubject): boolean {
  return (
    inScope(rule.scope ?? '*', subject.namespaced) &&
    holds(rule.operations, subject.operation) &&
    holds(rule.apiGroups, subject.group) &&
    holds(rule.apiVersions, subject.version) &&
    (rule.resources ?? []).some(resource => isAbout(resource, subject))
  );
}

const inScope = (scope: NonNullable<Rule['scope']>, namespaced: boolean): boolean =>
  scope === '*' || (scope === 'Namespaced') === namespaced;

const holds = (items: readonly string[] = [], wanted: string): boolean => items.includes('*') || items.includes(wanted);

/** `*` alone means every resource and none of their subresources. */
function isAbout(text: string, { plural, subresource }: RuleSubject): boolean {
  const slash = text.indexOf('/');
  const resource = slash < 0 ? text : text.slice(0, slash);
  const sub = slash < 0 ? '' : text.slice(slash + 1);
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}
