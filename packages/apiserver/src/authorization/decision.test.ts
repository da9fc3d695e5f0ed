import { describe, expect, it } from 'vitest';
import type { Stored } from '../kind.ts';
import { parseTarget, type User } from '../request.ts';
import { attributesOf } from './attributes.ts';
import { decide, rulesFor } from './decision.ts';
import { forbiddenRequest } from './forbidden.ts';
import { PolicyIndex } from './policy.ts';

const group = 'rbac.authorization.k8s.io';

interface Given {
  readonly clusterRoles?: Readonly<Record<string, readonly object[]>>;
  /** `namespace/name` → rules. */
  readonly roles?: Readonly<Record<string, readonly object[]>>;
  /** [namespace, role, subjects]: cluster-wide where the namespace is empty. */
  readonly bindings?: readonly (readonly [namespace: string, role: string, ...subjects: string[]])[];
}

/** Subjects are written `User/a`, `Group/b`, `ServiceAccount/name` or `ServiceAccount/name@namespace`. */
function subject(text: string) {
  const [kind, rest] = text.split('/') as [string, string];
  const [name, namespace] = rest.split('@') as [string, string | undefined];
  if (kind !== 'ServiceAccount') return { kind, name, apiGroup: group };
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}

function policy({ clusterRoles = {}, roles = {}, bindings = [] }: Given): PolicyIndex {
  const stored = new Map<string, Stored>();
  for (const [name, rules] of Object.entries(clusterRoles)) stored.set(`/${name}`, { metadata: { name }, rules });
  for (const [key, rules] of Object.entries(roles)) stored.set(key, { metadata: { name: key.split('/')[1]! }, rules });
  const index = new PolicyIndex((_table, namespace, name) => stored.get(`${namespace}/${name}`));
  for (const [number, [namespace, role, ...subjects]] of bindings.entries()) {
    const [kind, name] = role.split('/') as [string, string];
    index.add({
      metadata: { name: `binding-${number}`, ...(namespace !== '' && { namespace }) },
      roleRef: { apiGroup: group, kind, name },
      subjects: subjects.map(subject),
    });
  }
  return index;
}

function asked(request: string) {
  const [method, target] = request.split(' ') as [string, string];
  const url = new URL(target, 'http://localhost');
  return attributesOf({ method, path: url.pathname, query: url.searchParams }, parseTarget(url.pathname));
}

const user = (name: string, ...groups: string[]): User => ({ name, groups });
const may = (index: PolicyIndex, who: User, request: string): boolean => decide(index, who, asked(request)).allowed;

describe('a rule', () => {
  const cases: readonly [rule: object, request: string, allowed: boolean][] = [
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/namespaces/a/pods/p', true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 'HEAD /api/v1/namespaces/a/pods/p', true],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/namespaces/a/pods', false],
    [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/pods', true],
    [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/pods?watch=false', true],
    [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/pods?watch=1', false],
    [{ verbs: ['watch'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/pods?watch=1', true],
    [{ verbs: ['watch'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/watch/namespaces/a/pods', true],
    [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }, 'GET /api/v1/watch/pods', false],
    [{ verbs: ['create'], apiGroups: ['apps'], resources: ['*'] }, 'POST /apis/apps/v1/namespaces/a/deployments', true],
    [{ verbs: ['create'], apiGroups: ['apps'], resources: ['*'] }, 'POST /apis/batch/v1/namespaces/a/jobs', false],
    [{ verbs: ['update'], apiGroups: ['*'], resources: ['pods'] }, 'PUT /api/v1/namespaces/a/pods/p', true],
    [{ verbs: ['patch'], apiGroups: ['*'], resources: ['pods'] }, 'PATCH /api/v1/namespaces/a/pods/p', true],
    [{ verbs: ['patch'], apiGroups: ['*'], resources: ['pods'] }, 'PATCH /api/v1/namespaces/a/pods/p/status', false],
    [
      { verbs: ['patch'], apiGroups: ['*'], resources: ['pods/status'] },
      'PATCH /api/v1/namespaces/a/pods/p/status',
      true,
    ],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods/*'] }, 'GET /api/v1/namespaces/a/pods/p/log', false],
    [
      { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
      'GET /apis/apps/v1/namespaces/a/deployments/d/scale',
      true,
    ],
    [
      { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
      'GET /apis/apps/v1/namespaces/a/deployments/d',
      false,
    ],
    [{ verbs: ['get'], apiGroups: ['*'], resources: ['*'] }, 'GET /api/v1/namespaces/a/pods/p/log', true],
    [{ verbs: ['delete'], apiGroups: [''], resources: ['pods'] }, 'DELETE /api/v1/namespaces/a/pods/p', true],
    [{ verbs: ['delete'], apiGroups: [''], resources: ['pods'] }, 'DELETE /api/v1/namespaces/a/pods', false],
    [{ verbs: ['deletecollection'], apiGroups: [''], resources: ['pods'] }, 'DELETE /api/v1/namespaces/a/pods', true],
    [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods/p',
      true,
    ],
    [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods/q',
      false,
    ],
    [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods',
      false,
    ],
    [
      { verbs: ['list'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp',
      true,
    ],
    [
      { verbs: ['list'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods?fieldSelector=metadata.name!%3Dp',
      false,
    ],
    [
      { verbs: ['list'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'GET /api/v1/namespaces/a/pods?fieldSelector=((',
      false,
    ],
    [
      { verbs: ['deletecollection'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'DELETE /api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp',
      false,
    ],
    [
      { verbs: ['create'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] },
      'POST /api/v1/namespaces/a/pods',
      false,
    ],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, 'GET /version', false],
    [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }, 'GET /healthz', true],
    [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }, 'GET /healthz/etcd', false],
    [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }, 'GET /healthz/etcd', true],
    [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }, 'GET /healthz', false],
    [{ verbs: ['get'], nonResourceURLs: ['/api*'] }, 'GET /apis/apps/v1', true],
    [{ verbs: ['get'], nonResourceURLs: ['*'] }, 'GET /api/v1/pods', false],
    [{ verbs: ['get'], nonResourceURLs: ['*'] }, 'POST /version', false],
    [{ verbs: ['*'], nonResourceURLs: ['*'] }, 'POST /version', true],
  ];

  for (const [rule, request, allowed] of cases) {
    it(`${JSON.stringify(rule)} ${allowed ? 'allows' : 'does not allow'} ${request}`, () => {
      const index = policy({ clusterRoles: { role: [rule] }, bindings: [['', 'ClusterRole/role', 'User/bob']] });
      expect(may(index, user('bob'), request)).toBe(allowed);
    });
  }
});

describe('a binding', () => {
  const read = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'namespaces'] }];
  const index = policy({
    clusterRoles: { read },
    roles: { 'a/read': read },
    bindings: [
      ['a', 'Role/read', 'User/by-role'],
      ['a', 'ClusterRole/read', 'User/by-cluster-role', 'ServiceAccount/robot', 'ServiceAccount/robot@b'],
      ['', 'ClusterRole/read', 'Group/everywhere', 'ServiceAccount/nowhere', 'ServiceAccount/far@b'],
    ],
  });
  const cases: readonly [who: User, request: string, allowed: boolean][] = [
    [user('by-role'), 'GET /api/v1/namespaces/a/pods', true],
    [user('by-role'), 'GET /api/v1/namespaces/b/pods', false],
    [user('by-role'), 'GET /api/v1/pods', false],
    [user('by-role'), 'GET /api/v1/namespaces/a', true],
    [user('by-role'), 'GET /api/v1/namespaces/b', false],
    [user('by-cluster-role'), 'GET /api/v1/namespaces/a/pods/p', true],
    [user('by-cluster-role'), 'GET /api/v1/namespaces/b/pods/p', false],
    [user('system:serviceaccount:a:robot'), 'GET /api/v1/namespaces/a/pods', true],
    [user('system:serviceaccount:b:robot'), 'GET /api/v1/namespaces/a/pods', true],
    [user('system:serviceaccount:c:robot'), 'GET /api/v1/namespaces/a/pods', false],
    [user('system:serviceaccount::nowhere'), 'GET /api/v1/pods', false],
    [user('system:serviceaccount:b:far'), 'GET /api/v1/pods', true],
    [user('x', 'everywhere'), 'GET /api/v1/namespaces/b/pods', true],
    [user('everywhere'), 'GET /api/v1/namespaces/b/pods', false],
    [user('x', 'by-role'), 'GET /api/v1/namespaces/a/pods', false],
    [user('x'), 'GET /api/v1/namespaces/a/pods', false],
    [user('x', 'system:masters'), 'POST /anything', true],
  ];

  for (const [who, request, allowed] of cases) {
    it(`${allowed ? 'lets' : 'does not let'} ${JSON.stringify(who)} ${request}`, () => {
      expect(may(index, who, request)).toBe(allowed);
    });
  }

  it('is named in the reason, with the subject that it is about', () => {
    const robot = user('system:serviceaccount:a:robot', 'x');
    expect(decide(index, robot, asked('GET /api/v1/namespaces/a/pods')).reason).toBe(
      'RBAC: allowed by RoleBinding "binding-1/a" of ClusterRole "read" to ServiceAccount "robot/a"',
    );
    expect(decide(index, user('x', 'everywhere'), asked('GET /api/v1/pods')).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "binding-2" of ClusterRole "read" to Group "everywhere"',
    );
  });

  it('counts once, however many of its subjects a user is', () => {
    const both = policy({
      clusterRoles: { read },
      bindings: [['', 'ClusterRole/read', 'User/a', 'Group/g', 'Group/h']],
    });
    expect(rulesFor(both, user('a', 'g', 'h'), 'x').rules).toEqual(read);
  });

  it('of a role that is not there is said in the refusal', () => {
    const broken = policy({
      bindings: [
        ['', 'ClusterRole/gone', 'User/a'],
        ['n', 'Role/lost', 'User/a'],
      ],
    });
    expect(decide(broken, user('a'), asked('GET /api/v1/namespaces/n/pods'))).toEqual({
      allowed: false,
      reason:
        'rbac: RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    });
  });

  it('that is removed allows nothing any more', () => {
    const one: Stored = {
      metadata: { name: 'b' },
      roleRef: { kind: 'ClusterRole', name: 'read' },
      subjects: [subject('User/z')],
    };
    const changing = policy({ clusterRoles: { read } });
    changing.add(one);
    expect(may(changing, user('z'), 'GET /api/v1/pods')).toBe(true);
    changing.remove(one);
    expect(may(changing, user('z'), 'GET /api/v1/pods')).toBe(false);
  });
});

describe('a refusal', () => {
  const cases: readonly [request: string, message: string, details: object][] = [
    [
      'GET /api/v1/namespaces/default/pods',
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
      { kind: 'pods' },
    ],
    [
      'GET /apis/apps/v1/deployments',
      'deployments.apps is forbidden: User "bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
      { group: 'apps', kind: 'deployments' },
    ],
    [
      'GET /api/v1/namespaces/a/pods/p/log',
      'pods "p" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "a"',
      { name: 'p', kind: 'pods' },
    ],
    ['GET /foo', 'forbidden: User "bob" cannot get path "/foo"', {}],
    ['GET /%3Cb%3E%26', 'forbidden: User "bob" cannot get path "/&lt;b&gt;&amp;"', {}],
  ];
  for (const [request, message, details] of cases) {
    it(`of ${request} says it as Kubernetes does`, () => {
      const { status } = forbiddenRequest(user('bob'), asked(request), '');
      expect(status).toMatchObject({ code: 403, reason: 'Forbidden', message, details });
    });
  }
});
