import { describe, expect, it, test } from 'vitest';
import { type Rule, type RuleSubject, ruleMatches } from './rule.ts';

const subject: RuleSubject = {
  operation: 'UPDATE',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  subresource: '',
  namespaced: true,
};
const every: Rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };

describe('a rule is about a resource', () => {
  test.each([
    ['deployments', '', true],
    ['deployments', 'scale', false],
    ['deployments/scale', 'scale', true],
    ['deployments/scale', '', false],
    ['deployments/*', '', true],
    ['deployments/*', 'status', true],
    ['*', '', true],
    ['*', 'status', false],
    ['*/*', '', true],
    ['*/*', 'scale', true],
    ['*/scale', 'scale', true],
    ['*/scale', 'status', false],
    ['pods', '', false],
    ['pods/*', 'scale', false],
  ])('%s of subresource "%s": %s', (resource, subresource, expected) => {
    expect(ruleMatches({ ...every, resources: [resource] }, { ...subject, subresource })).toBe(expected);
  });

  test.each([
    ['Namespaced', true, true],
    ['Namespaced', false, false],
    ['Cluster', true, false],
    ['Cluster', false, true],
    ['*', true, true],
    ['*', false, true],
  ] as const)('of scope %s, where its objects being in a namespace is %s: %s', (scope, namespaced, expected) => {
    expect(ruleMatches({ ...every, scope }, { ...subject, namespaced })).toBe(expected);
  });

  it('of its groups, versions and operations, and of none where it names none', () => {
    expect(ruleMatches({ ...every, apiGroups: ['apps', 'batch'] }, subject)).toBe(true);
    expect(ruleMatches({ ...every, apiGroups: [''] }, subject)).toBe(false);
    expect(ruleMatches({ ...every, apiVersions: ['v2'] }, subject)).toBe(false);
    expect(ruleMatches({ ...every, operations: ['CREATE', 'DELETE'] }, subject)).toBe(false);
    expect(ruleMatches({}, subject)).toBe(false);
  });
});
