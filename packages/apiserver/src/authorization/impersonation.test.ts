import type { Impersonation } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import type { User } from '../request.ts';
import { StatusError } from '../status.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { authorizeImpersonation } from './impersonation.ts';

const VERSION: Attributes = { type: 'path', verb: 'get', path: '/version' };
const imp: User = { name: 'imp', groups: [] };

/** Rights are written `verb resource name`, or `verb path`. */
const holding = (...rights: readonly string[]): Authorizer => ({
  authorize: (_user, asked) => ({ allowed: rights.includes(text(asked)), reason: '' }),
  rulesFor: () => ({ rules: [] }),
});

function text(asked: Attributes): string {
  if (asked.type === 'path') return `${asked.verb} ${asked.path}`;
  const { verb, resource, subresource, name }: ResourceAttributes = asked;
  return `${verb} ${subresource === '' ? resource : `${resource}/${subresource}`} ${name}`;
}

function refusal(authorizer: Authorizer, wanted: Impersonation, user = imp): string | undefined {
  try {
    authorizeImpersonation(authorizer, user, wanted, VERSION);
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  }
}

describe('acting as someone else', () => {
  it('needs the right of old for every part of them', () => {
    const rights = ['impersonate users ann', 'impersonate groups a', 'impersonate userextras/scopes x'];
    expect(refusal(holding(...rights), { user: 'ann' })).toBeUndefined();
    expect(refusal(holding(...rights), { user: 'ann', groups: ['a'], extra: { scopes: ['x'] } })).toBeUndefined();
    expect(refusal(holding(...rights), { user: 'ann', groups: ['a', 'b'] })).toBe(
      'groups "b" is forbidden: User "imp" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
    expect(refusal(holding(...rights), { user: 'ann', uid: '7' })).toBe(
      'uids.authentication.k8s.io "7" is forbidden: User "imp" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    );
    expect(refusal(holding(...rights), { user: 'ann', extra: { scopes: ['y'] } })).toBe(
      'userextras.authentication.k8s.io "y" is forbidden: User "imp" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  it('or the constrained right for them, and for what is done', () => {
    const whom = 'impersonate:user-info users ann';
    const what = 'impersonate-on:user-info:get /version';
    expect(refusal(holding(whom, what), { user: 'ann' })).toBeUndefined();
    expect(refusal(holding(whom), { user: 'ann' })).toContain('cannot impersonate-on:user-info:get path "/version"');
    expect(refusal(holding(what), { user: 'ann' })).toContain('cannot impersonate:user-info resource "users"');
  });

  it('without any right is refused as Kubernetes says it first', () => {
    expect(refusal(holding(), { user: 'bob' })).toBe(
      'forbidden: User "imp" cannot impersonate-on:user-info:get path "/version"',
    );
    expect(refusal(holding(), { user: 'system:serviceaccount:a:b' })).toBe(
      'forbidden: User "imp" cannot impersonate-on:serviceaccount:get path "/version"',
    );
  });

  it('never makes an administrator by the constrained right', () => {
    const all = ['impersonate-on:user-info:get /version', 'impersonate:user-info users ann'];
    const masters = { user: 'ann', groups: ['system:masters'] };
    expect(refusal(holding(...all, 'impersonate:user-info groups system:masters'), masters)).toContain('is forbidden');
    expect(refusal(holding('impersonate users ann', 'impersonate groups system:masters'), masters)).toBeUndefined();
  });

  it('as a node is for the Pods on it, where they may', () => {
    const robot = (node: string): User => ({
      name: 'system:serviceaccount:a:agent',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': [node] },
    });
    const rights = holding('impersonate:associated-node nodes *', 'impersonate-on:associated-node:get /version');
    expect(refusal(rights, { user: 'system:node:n1' }, robot('n1'))).toBeUndefined();
    expect(refusal(rights, { user: 'system:node:n1' }, robot('n2'))).toContain('forbidden');
  });
});
