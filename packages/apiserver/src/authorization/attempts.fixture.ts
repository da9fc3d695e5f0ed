/** What the people of `people.fixture.ts` try. Nothing of it changes anything: it is read, refused or dry. */
import { GROUP, RBAC } from './people.fixture.ts';

export interface Attempt {
  /** `name`, or `name+group+group`. */
  readonly who: string;
  /** `METHOD path?query`. */
  readonly request: string;
  readonly body?: object;
}

export const attempts: Attempt[] = [];
const tries = (who: string, ...requests: readonly (string | readonly [request: string, body: object])[]): void => {
  for (const one of requests) {
    if (typeof one === 'string') attempts.push({ who, request: one });
    else attempts.push({ who, request: one[0], body: one[1] });
  }
};

const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const map = { metadata: { name: 'new' } };
const rules = (...list: readonly object[]) => ({ metadata: { name: 'new' }, rules: list });
const binding = (kind: string, name: string) => ({
  metadata: { name: 'new' },
  roleRef: { apiGroup: GROUP, kind, name },
  subjects: [{ kind: 'User', name: 'friend', apiGroup: GROUP }],
});
const pods = (...verbs: readonly string[]) => ({ verbs, apiGroups: [''], resources: ['pods'] });
const RED = '/api/v1/namespaces/red';
const DRY = 'dryRun=All';

// Nobody in particular: what everyone may who is known.
tries(
  'zed',
  'GET /api',
  'GET /apis',
  'GET /api/v1',
  'GET /apis/apps/v1',
  'GET /version',
  'GET /healthz',
  'GET /livez',
  'GET /readyz',
);
tries(
  'zed',
  'GET /metrics',
  'GET /',
  'GET /foo',
  'GET /foo/<b>&',
  'POST /foo',
  'PUT /version',
  'DELETE /api',
  'GET /logs/x',
);
tries(
  'zed',
  `GET ${RED}/pods`,
  'GET /api/v1/pods',
  'GET /api/v1/pods?watch=true',
  `GET ${RED}/pods?watch=1`,
  `GET ${RED}/pods/p`,
);
tries(
  'zed',
  `GET ${RED}/pods/p/log`,
  `GET ${RED}/pods/p/exec`,
  `POST ${RED}/pods/p/exec`,
  `POST ${RED}/pods/p/eviction`,
  `GET ${RED}/pods/p/proxy/x/y`,
);
tries(
  'zed',
  `DELETE ${RED}/pods`,
  `DELETE ${RED}/pods/p`,
  `PUT ${RED}/pods/p`,
  `PATCH ${RED}/pods/p`,
  `POST ${RED}/pods`,
  `PATCH ${RED}/pods/p/status`,
);
tries(
  'zed',
  'GET /api/v1/nodes',
  'GET /api/v1/nodes/n',
  'GET /api/v1/namespaces',
  `GET ${RED}`,
  `PUT ${RED}/finalize`,
  `DELETE ${RED}`,
  'POST /api/v1/namespaces',
);
tries(
  'zed',
  'GET /apis/apps/v1/deployments',
  'GET /apis/apps/v1/namespaces/red/deployments/d/scale',
  'GET /apis/nope.example.com/v1/things',
  'GET /apis/apps/v9/deployments',
  'GET /api/v1/nonsense',
);
tries(
  'zed',
  'GET /api/v1/watch/pods',
  'GET /api/v1/watch/namespaces/red/pods/p',
  'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
);
tries(
  'zed',
  ['POST /apis/authorization.k8s.io/v1/subjectaccessreviews', {}],
  ['POST /apis/authentication.k8s.io/v1/tokenreviews', {}],
  ['POST /apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
);
tries('zed', [
  'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
]);

tries('ann', 'GET /api/v1/pods', `GET ${RED}/pods/p`, `GET ${RED}/secrets`, `GET ${RED}/configmaps/one`, [
  `POST ${RED}/configmaps?${DRY}`,
  map,
]);
tries(
  'ann',
  'GET /api/v1/nodes',
  'GET /apis/apps/v1/deployments',
  `GET ${RBAC}/clusterroles`,
  `GET ${RBAC}/namespaces/red/roles`,
  'GET /api/v1/namespaces',
);
tries(
  'ed',
  `GET ${RED}/secrets`,
  'GET /api/v1/namespaces/blue/secrets',
  'GET /api/v1/secrets',
  `GET ${RED}`,
  'GET /api/v1/namespaces/blue',
  [`POST ${RED}/configmaps?${DRY}`, map],
);
tries(
  'ed',
  ['POST /api/v1/namespaces/blue/configmaps', map],
  [`POST /apis/apps/v1/namespaces/red/deployments?${DRY}`, deployment],
  `GET ${RBAC}/namespaces/red/roles`,
  `DELETE ${RED}/configmaps?${DRY}`,
);
tries(
  'adam',
  `GET ${RBAC}/namespaces/red/roles`,
  [`POST ${RBAC}/namespaces/red/roles?${DRY}`, rules(pods('get'))],
  [`POST ${RBAC}/namespaces/red/roles?${DRY}`, rules({ verbs: ['get'], apiGroups: [''], resources: ['nodes'] })],
);
tries(
  'adam',
  [`POST ${RBAC}/namespaces/red/rolebindings?${DRY}`, binding('ClusterRole', 'edit')],
  [`POST ${RBAC}/namespaces/red/rolebindings?${DRY}`, binding('ClusterRole', 'paths')],
  [`POST ${RBAC}/namespaces/blue/rolebindings`, binding('ClusterRole', 'edit')],
);
tries(
  'kim+root',
  'GET /api/v1/nodes',
  'GET /foo',
  [`POST ${RBAC}/clusterroles?${DRY}`, rules({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })],
  `GET ${RED}/secrets`,
);
tries('kim+system:masters', 'GET /api/v1/nodes', 'GET /foo');
tries(
  'paul',
  `GET ${RED}/pods`,
  `GET ${RED}/pods/p`,
  'GET /api/v1/namespaces/blue/pods',
  'GET /api/v1/pods',
  `GET ${RED}/pods/p/log`,
  `DELETE ${RED}/pods/p`,
);
tries('system:serviceaccount:red:robot', `GET ${RED}/pods`, 'GET /api/v1/namespaces/blue/pods', 'GET /version');
tries('system:serviceaccount:blue:robot', `GET ${RED}/pods`, 'GET /api/v1/namespaces/blue/pods');
tries('sue', 'GET /apis/apps/v1/namespaces/red/deployments/d/scale', 'GET /apis/apps/v1/namespaces/red/deployments/d');
tries(
  'nat',
  `GET ${RED}/configmaps/one`,
  `GET ${RED}/configmaps/two`,
  `GET ${RED}/configmaps`,
  `GET ${RED}/configmaps?fieldSelector=metadata.name=one`,
  `GET ${RED}/configmaps?fieldSelector=metadata.name=two`,
);
tries('nat', `DELETE ${RED}/configmaps/one?${DRY}`, `DELETE ${RED}/configmaps?fieldSelector=metadata.name=one`, [
  `POST ${RED}/configmaps`,
  { metadata: { name: 'one' } },
]);
tries(
  'stan',
  [`PATCH /api/v1/namespaces/red/status?${DRY}`, {}],
  [`PATCH ${RED}`, {}],
  [`PATCH ${RED}/pods/p/status`, {}],
  [`PATCH ${RED}/pods/p`, {}],
);
tries(
  'abe',
  [`POST /apis/apps/v1/namespaces/blue/deployments?${DRY}`, deployment],
  'GET /apis/apps/v1/deployments',
  'GET /apis/batch/v1/jobs',
  'GET /apis/apps/v1/namespaces/red/deployments/d/status',
);
tries('sam+scrapers', 'GET /metrics/slis', 'POST /metrics', 'GET /logs', 'GET /logs/x');

tries(
  'rob',
  [`POST ${RBAC}/clusterroles?${DRY}`, rules({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })],
  [`POST ${RBAC}/clusterrolebindings?${DRY}`, binding('ClusterRole', 'cluster-admin')],
);
tries(
  'pat',
  [`POST ${RBAC}/clusterroles?${DRY}`, rules(pods('get'))],
  [`POST ${RBAC}/clusterroles?${DRY}`, rules(pods('get', 'delete'), pods('watch'))],
  [
    `POST ${RBAC}/clusterroles?${DRY}`,
    rules(
      { verbs: ['get'], nonResourceURLs: ['/logs'] },
      { verbs: ['get'], apiGroups: ['', 'apps'], resources: ['secrets', 'pods'], resourceNames: ['a'] },
    ),
  ],
);
tries(
  'pat',
  [
    `POST ${RBAC}/clusterroles?${DRY}`,
    { ...rules(), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
  ],
  [`PATCH ${RBAC}/clusterroles/pod-reader?${DRY}`, { rules: [pods('*')] }],
  [`PATCH ${RBAC}/clusterroles/pod-reader?${DRY}`, { metadata: { finalizers: ['example.com/x'] } }],
  [`PATCH ${RBAC}/clusterroles/pod-reader?${DRY}`, { metadata: { labels: { a: 'b' } } }],
);
tries(
  'pat',
  [`POST ${RBAC}/clusterrolebindings?${DRY}`, binding('ClusterRole', 'view')],
  [`POST ${RBAC}/clusterrolebindings?${DRY}`, binding('ClusterRole', 'one-binder')],
  [`POST ${RBAC}/clusterrolebindings?${DRY}`, binding('ClusterRole', 'token-maker')],
  [`POST ${RBAC}/clusterrolebindings?${DRY}`, binding('ClusterRole', 'nowhere')],
  [`POST ${RBAC}/namespaces/red/rolebindings?${DRY}`, binding('Role', 'pod-reader')],
);
tries('lost', `GET ${RED}/pods`, 'GET /version', 'GET /foo');
tries('late', `GET ${RED}/pods`, 'GET /api/v1/pods');

tries(
  'tom',
  [`POST ${RED}/serviceaccounts/nobody/token`, {}],
  ['POST /api/v1/namespaces/blue/serviceaccounts/default/token', {}],
  `GET ${RED}/serviceaccounts/robot`,
);
const question = (path: string, spec: object): readonly [string, object] => [
  `POST /apis/authorization.k8s.io/v1/${path}`,
  { spec },
];
const about = (user: string, resourceAttributes: object) => ({ user, resourceAttributes });
tries(
  'ask',
  question('subjectaccessreviews', about('paul', { namespace: 'red', verb: 'get', resource: 'pods' })),
  question('subjectaccessreviews', about('paul', { namespace: 'blue', verb: 'get', resource: 'pods' })),
  question(
    'subjectaccessreviews',
    about('sue', { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'd' }),
  ),
  question('subjectaccessreviews', about('lost', { verb: 'get', resource: 'pods' })),
  question('subjectaccessreviews', {
    user: 'x',
    groups: ['scrapers'],
    nonResourceAttributes: { path: '/metrics', verb: 'get' },
  }),
  question('subjectaccessreviews', {
    groups: ['system:masters'],
    nonResourceAttributes: { path: '/foo', verb: 'get' },
  }),
  question(
    'subjectaccessreviews',
    about('system:serviceaccount:red:robot', { namespace: 'red', verb: 'list', resource: 'pods' }),
  ),
  question('subjectaccessreviews', {}),
  question('subjectaccessreviews', { user: 'x', resourceAttributes: {}, nonResourceAttributes: { path: '/x' } }),
  question('subjectaccessreviews', about('x', { fieldSelector: {} })),
  question(
    'subjectaccessreviews',
    about('x', { fieldSelector: { rawSelector: '((' }, labelSelector: { rawSelector: '((' } }),
  ),
  question(
    'subjectaccessreviews',
    about('x', {
      labelSelector: {
        rawSelector: 'a',
        requirements: [
          { key: '', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['b'] },
        ],
      },
    }),
  ),
  question(
    'namespaces/red/localsubjectaccessreviews',
    about('paul', { namespace: 'red', verb: 'get', resource: 'pods' }),
  ),
  question(
    'namespaces/red/localsubjectaccessreviews',
    about('paul', { namespace: 'blue', verb: 'get', resource: 'pods' }),
  ),
  question('namespaces/red/localsubjectaccessreviews', { user: 'x', nonResourceAttributes: { path: '/' } }),
  question('localsubjectaccessreviews', {}),
  question('selfsubjectrulesreviews', {}),
);
tries(
  'paul',
  question('selfsubjectrulesreviews', { namespace: 'blue' }),
  question('selfsubjectaccessreviews', { resourceAttributes: { namespace: 'red', verb: 'list', resource: 'pods' } }),
);

// What is not there is created by an apply and by some updates.
const APPLY = `${DRY}&fieldManager=pam&force=true`;
const lease = (name: string) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });
const applied = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
tries(
  'pam',
  [`PATCH ${RED}/configmaps/one?${APPLY}`, applied('one')],
  [`PATCH ${RED}/configmaps/new?${APPLY}`, applied('new')],
  [`PATCH ${RED}/configmaps/new?${DRY}`, { data: { a: 'b' } }],
  [`PUT ${RED}/configmaps/new?${DRY}`, applied('new')],
  [`PUT /apis/coordination.k8s.io/v1/namespaces/red/leases/new?${DRY}`, lease('new')],
  [`PATCH /api/v1/namespaces/green?${APPLY}`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'green' } }],
);
