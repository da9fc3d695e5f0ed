/** People with rights: the roles and bindings that make them what they are. What they try is in `attempts.fixture.ts`. */
export const GROUP = 'rbac.authorization.k8s.io';
export const RBAC = `/apis/${GROUP}/v1`;

/** What has to be created, in this order: where, and what. */
export const setUp: [path: string, object: object][] = [];

const namespace = (name: string) => setUp.push(['/api/v1/namespaces', { metadata: { name } }]);
const inNamespace = (name: string, plural: string): string =>
  name === '' ? `${RBAC}/cluster${plural}` : `${RBAC}/namespaces/${name}/${plural}`;

function role(scope: string, name: string, ...rules: readonly object[]): void {
  setUp.push([inNamespace(scope, 'roles'), { metadata: { name }, rules }]);
}

/** Subjects are written `User/a`, `Group/b`, `ServiceAccount/name@namespace`. */
function bind(scope: string, kind: 'Role' | 'ClusterRole', name: string, ...subjects: readonly string[]): void {
  const body = {
    metadata: { name: `${name}-${setUp.length}` },
    roleRef: { apiGroup: GROUP, kind, name },
    subjects: subjects.map(text => {
      const [subjectKind, subjectName, subjectNamespace] = text.split(/[/@]/);
      if (subjectKind === 'ServiceAccount')
        return { kind: subjectKind, name: subjectName, namespace: subjectNamespace };
      return { kind: subjectKind, name: subjectName, apiGroup: GROUP };
    }),
  };
  setUp.push([inNamespace(scope, 'rolebindings'), body]);
}

namespace('red');
namespace('blue');
setUp.push(['/api/v1/namespaces/red/serviceaccounts', { metadata: { name: 'robot' } }]);
setUp.push(['/api/v1/namespaces/red/configmaps', { metadata: { name: 'one' } }]);
setUp.push(['/api/v1/namespaces/red/configmaps', { metadata: { name: 'two' } }]);

const READ = ['get', 'list', 'watch'];
const ROLE_KINDS = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
role('red', 'pod-reader', { verbs: READ, apiGroups: [''], resources: ['pods'] });
role('', 'pod-reader', { verbs: READ, apiGroups: [''], resources: ['pods'] });
role('', 'scaler', { verbs: ['get', 'update', 'patch'], apiGroups: ['*'], resources: ['*/scale'] });
role('', 'one-map', {
  verbs: ['get', 'list', 'watch', 'patch', 'delete', 'create'],
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: ['one'],
});
role('', 'status-writer', {
  verbs: ['update', 'patch'],
  apiGroups: [''],
  resources: ['pods/status', 'namespaces/status'],
});
role('', 'all-of-apps', { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] });
role('', 'paths', { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] });
role(
  '',
  'role-writer',
  { verbs: ['*'], apiGroups: [GROUP], resources: ROLE_KINDS },
  { verbs: READ, apiGroups: [''], resources: ['pods'] },
);
role(
  '',
  'plain-role-writer',
  { verbs: ['create', 'update', 'patch', 'get'], apiGroups: [GROUP], resources: ROLE_KINDS },
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
);
role('', 'one-binder', { verbs: ['bind'], apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['view'] });
role(
  '',
  'impersonator',
  { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['ann', 'zed'] },
  { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['staff'] },
);
role('', 'token-maker', { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] });
role('', 'asker', {
  verbs: ['create'],
  apiGroups: ['authorization.k8s.io'],
  resources: ['subjectaccessreviews', 'localsubjectaccessreviews'],
});

role('', 'patcher', {
  verbs: ['get', 'patch', 'update'],
  apiGroups: ['', 'coordination.k8s.io'],
  resources: ['configmaps', 'leases', 'namespaces'],
});

bind('', 'ClusterRole', 'view', 'User/ann');
bind('red', 'ClusterRole', 'edit', 'User/ed');
bind('red', 'ClusterRole', 'admin', 'User/adam');
bind('', 'ClusterRole', 'cluster-admin', 'Group/root');
bind('red', 'Role', 'pod-reader', 'User/paul', 'ServiceAccount/robot@red', 'ServiceAccount/robot@blue');
bind('', 'ClusterRole', 'scaler', 'User/sue');
bind('red', 'ClusterRole', 'one-map', 'User/nat');
bind('', 'ClusterRole', 'status-writer', 'User/stan');
bind('', 'ClusterRole', 'all-of-apps', 'User/abe');
bind('', 'ClusterRole', 'paths', 'Group/scrapers');
bind('', 'ClusterRole', 'role-writer', 'User/rob');
bind('', 'ClusterRole', 'plain-role-writer', 'User/pat');
bind('', 'ClusterRole', 'one-binder', 'User/pat');
bind('', 'ClusterRole', 'impersonator', 'User/imp');
bind('red', 'ClusterRole', 'token-maker', 'User/tom');
bind('', 'ClusterRole', 'asker', 'User/ask');
bind('', 'ClusterRole', 'not-there', 'User/lost');
bind('red', 'Role', 'not-there-either', 'User/late');
bind('', 'ClusterRole', 'patcher', 'User/pam');
