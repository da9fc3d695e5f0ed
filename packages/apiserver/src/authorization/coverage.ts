/** Whether some rules allow all that others allow: nobody can give away what they do not have. */
import type { PolicyRule } from '@capstan/kube';
import { goQuoteList } from '../schema/go-text.ts';
import { coversPath } from './rule.ts';

/** The smallest parts of `wanted` that no single rule of `held` covers; empty where all is covered. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(atoms).filter(atom => !held.some(rule => covers(rule, atom)));
}

/** A rule of one verb and one resource (and at most one name), or one verb and one path. */
function atoms({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): PolicyRule[] {
  const found: PolicyRule[] = [];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs) {
        const atom = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (!resourceNames?.length) found.push(atom);
        else for (const name of resourceNames) found.push({ ...atom, resourceNames: [name] });
      }
    }
  }
  for (const path of nonResourceURLs ?? []) {
    for (const verb of verbs) found.push({ nonResourceURLs: [path], verbs: [verb] });
  }
  return found;
}

function covers(rule: PolicyRule, atom: PolicyRule): boolean {
  return (
    includes(rule.verbs, atom.verbs[0]) &&
    includes(rule.apiGroups, atom.apiGroups?.[0]) &&
    coversResource(rule.resources, atom.resources?.[0]) &&
    coversName(rule.resourceNames, atom.resourceNames?.[0]) &&
    (atom.nonResourceURLs ?? []).every(path => (rule.nonResourceURLs ?? []).some(own => coversPath(own, path)))
  );
}

function includes(allowed: readonly string[] | undefined, value: string | undefined): boolean {
  return value === undefined || (allowed ?? []).some(one => one === '*' || one === value);
}

function coversResource(allowed: readonly string[] | undefined, resource: string | undefined): boolean {
  if (includes(allowed, resource)) return true;
  const slash = resource!.indexOf('/');
  return slash > 0 && (allowed ?? []).includes(`*${resource!.slice(slash)}`);
}

/** A rule about certain names never covers one about all of them. */
function coversName(allowed: readonly string[] | undefined, name: string | undefined): boolean {
  return !allowed?.length || (name !== undefined && allowed.includes(name));
}

/** Rules as a message lists them: those of one resource on one line, in order. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const compact = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = rule.nonResourceURLs ? JSON.stringify(rule) : JSON.stringify(rest);
    const known = compact.get(key);
    compact.set(key, known ? { ...rest, verbs: [...known.verbs, ...verbs] } : rule);
  }
  const lines = [...compact.values()].map(describeRule);
  return [...new Set(lines)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join('\n');
}

const FIELDS = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

function describeRule(rule: PolicyRule): string {
  const parts = FIELDS.filter(([, field]) => rule[field]?.length).map(
    ([label, field]) => `${label}:${goQuoteList(rule[field]!)}`,
  );
  return `{${parts.join(', ')}}`;
}
