/** What is tried on an API server with webhooks: by the topic, one namespace each. */
import type { HookSpec, Scenario, Step } from './scenario.fixture.ts';

const CONFIGMAPS = '/api/v1/namespaces/$ns/configmaps';
const PODS = '/api/v1/namespaces/$ns/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/$ns/deployments';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const configMap = (name: string, data: object = { given: 'y' }, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const create = (name: string, query = ''): Step => ({ request: `POST ${CONFIGMAPS}${query}`, body: configMap(name) });
const merge = (name: string, body: object): Step => ({
  request: `PATCH ${CONFIGMAPS}/${name}`,
  body,
  contentType: MERGE,
});

const rule = (resources: readonly string[], apiGroups = [''], operations = ['*'], apiVersions = ['*']) => ({
  rules: [{ apiGroups, apiVersions, resources, operations }],
});

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
});
const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod('').spec },
  },
});

/** A webhook that behaves in a certain way, and a write that meets it. */
const meeting = (type: HookSpec['type'], does: string, spec: object = {}): Scenario => ({
  name: `${type}${does.replace('/', '-')}${'failurePolicy' in spec ? '-ignored' : ''}`,
  setUp: [create('there')],
  webhooks: [{ type, does, ...NOT_PROBES, ...spec }],
  steps: [create('one')],
});

/** The same, and the update of what is there. */
const meetingUpdate = (does: string): Scenario => ({
  ...meeting('mutating', does),
  steps: [create('one'), merge('there', { data: { changed: 'yes' } })],
});

/** Webhooks that break a request must not break the probes that tell when they are in place. */
const NOT_PROBES = { objectSelector: { matchExpressions: [{ key: 'probe', operator: 'DoesNotExist' }] } };

const both = (does: string): Scenario[] => [meeting('mutating', does), meeting('validating', does)];

const DECISIONS = [
  '/allow',
  '/deny',
  '/deny-silently',
  '/deny-with-reason',
  '/deny-with-status',
  '/deny-with-success',
  '/warn',
  '/deny-and-warn',
  '/annotate-audit',
  '/deny-with-patch',
].flatMap(both);

const BAD_ANSWERS = [
  '/wrong-uid',
  '/no-uid',
  '/allowed-as-text',
  '/close',
  '/500',
  '/500-as-json',
  '/404',
  '/403',
  '/418',
  '/429',
  '/503',
  '/status-object',
  '/empty',
  '/page',
  '/array',
  '/no-kind',
  '/other-review',
  '/older-review',
  '/unanswered',
  '/cut-off',
  '/created',
  '/patch-without-type',
  '/type-without-patch',
].map(does => meeting('validating', does));

const PATCHES = [
  '/add-data',
  '/nothing-to-patch',
  '/replace-same',
  '/add-unknown-field',
  '/data-as-number',
  '/remove-missing',
  '/unknown-operation',
  '/failing-test',
  '/bad-label',
  '/add-label',
  '/rename',
  '/move',
  '/other-uid',
  '/other-version',
  '/other-times',
  '/other-kind',
  '/drop-metadata',
  '/drop-managers',
  '/break-managers',
  '/double-owner',
  '/replace-all',
  '/patch-without-type',
  '/type-without-patch',
  '/other-patch-type',
  '/patch-of-garbage',
  '/patch-of-an-object',
  '/patch-not-base64',
].map(meetingUpdate);

const ignoring = (does: string): Scenario => meeting('mutating', does, { failurePolicy: 'Ignore' });

const IGNORED = [
  '/500',
  '/wrong-uid',
  '/close',
  '/patch-of-garbage',
  '/remove-missing',
  '/deny',
  '/other-patch-type',
].map(ignoring);

const observed = (name: string, hook: object, setUp: Step[], steps: Step[]): Scenario => ({
  name,
  setUp,
  webhooks: [
    { type: 'mutating', does: '/allow', ...hook },
    { type: 'validating', does: '/allow', ...hook },
  ],
  steps,
});

const OBSERVED: Scenario[] = [
  observed(
    'verbs',
    rule(['configmaps']),
    [],
    [
      create('one', '?fieldManager=me&fieldValidation=Strict'),
      create('dry', '?dryRun=All'),
      { request: `POST ${CONFIGMAPS}`, body: { metadata: { generateName: 'gen-' }, data: { a: 'b' } } },
      { request: `PUT ${CONFIGMAPS}/one`, body: configMap('one', { a: 'c' }) },
      { request: `PUT ${CONFIGMAPS}/one`, body: configMap('one', { a: 'd' }, { resourceVersion: '1' }) },
      merge('one', { data: { a: 'e' } }),
      merge('one', { data: { a: 'e' } }),
      { request: `PATCH ${CONFIGMAPS}/two?fieldManager=applier`, body: configMap('two'), contentType: APPLY },
      {
        request: `PATCH ${CONFIGMAPS}/two?fieldManager=applier`,
        body: configMap('two', { x: 'y' }),
        contentType: APPLY,
      },
      merge('missing', { data: { a: 'e' } }),
      { request: `POST ${CONFIGMAPS}`, body: configMap('one') },
      { request: `POST ${CONFIGMAPS}`, body: configMap('not a name') },
      { request: `DELETE ${CONFIGMAPS}/one?dryRun=All` },
      { request: `DELETE ${CONFIGMAPS}/one`, body: { gracePeriodSeconds: 3, propagationPolicy: 'Orphan' } },
      { request: `DELETE ${CONFIGMAPS}/two?propagationPolicy=Background` },
      { request: `DELETE ${CONFIGMAPS}/missing` },
      { request: `DELETE ${CONFIGMAPS}` },
    ],
  ),
  observed(
    'pods',
    rule(['pods', 'pods/*']),
    [],
    [
      { request: `POST ${PODS}`, body: pod('one') },
      { request: `PATCH ${PODS}/one/status`, body: { status: { phase: 'Running' } }, contentType: MERGE },
      {
        request: `POST ${PODS}/one/binding`,
        body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'one' }, target: { kind: 'Node', name: 'n1' } },
      },
      { request: `DELETE ${PODS}/one` },
      { request: `DELETE ${PODS}/one` },
      { request: `POST ${PODS}`, body: pod('two') },
      {
        request: `POST ${PODS}/two/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'two' } },
      },
    ],
  ),
  observed(
    'scales',
    rule(['*/scale'], ['apps']),
    [{ request: `POST ${DEPLOYMENTS}`, body: deployment('web') }],
    [
      { request: `PATCH ${DEPLOYMENTS}/web/scale`, body: { spec: { replicas: 3 } }, contentType: MERGE },
      { request: `PATCH ${DEPLOYMENTS}/web`, body: { spec: { replicas: 4 } }, contentType: MERGE },
    ],
  ),
  observed(
    'namespaced',
    rule(['namespaces', 'namespaces/*']),
    [],
    [
      { request: 'PATCH /api/v1/namespaces/$ns', body: { metadata: { labels: { more: 'yes' } } }, contentType: MERGE },
      {
        request: 'PATCH /api/v1/namespaces/$ns/status',
        body: { metadata: { annotations: { a: 'b' } } },
        contentType: MERGE,
      },
    ],
  ),
  observed(
    'old-reviews',
    { ...rule(['configmaps']), admissionReviewVersions: ['v0', 'v1beta1', 'v1'] },
    [],
    [create('one')],
  ),
  observed(
    'autoscalers',
    { ...rule(['horizontalpodautoscalers'], ['autoscaling'], ['CREATE'], ['v1']) },
    [],
    [
      {
        request: 'POST /apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
        body: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'web' },
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
        },
      },
    ],
  ),
  observed(
    'exactly',
    { ...rule(['horizontalpodautoscalers'], ['autoscaling'], ['CREATE'], ['v1']), matchPolicy: 'Exact' },
    [],
    [
      {
        request: 'POST /apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
        body: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'web' },
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
        },
      },
    ],
  ),
];

const WIDGETS = '/apis/hooks.example.com';
const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.hooks.example.com' },
  spec: {
    group: 'hooks.example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: ['v1', 'v2'].map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                size: { type: 'integer', maximum: 10 },
                color: { type: 'string', default: 'red' },
                replicas: { type: 'integer' },
              },
            },
            status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
          },
        },
      },
    })),
  },
};
const widget = (name: string, version: string, spec: object = { size: 1 }) => ({
  apiVersion: `hooks.example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
});
const widgets = (version: string): string => `${WIDGETS}/${version}/namespaces/$ns/widgets`;
const onWidgets = (versions = ['*'], resources = ['widgets']) =>
  rule(resources, ['hooks.example.com'], ['*'], versions);

const CUSTOM: Scenario[] = [
  {
    name: 'widgets',
    setUp: [
      { request: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: widgetDefinition },
      { request: `POST ${widgets('v1')}`, body: widget('there', 'v1') },
    ],
    webhooks: [
      { type: 'mutating', does: '/allow', ...onWidgets(['v2']) },
      { type: 'validating', does: '/allow', ...onWidgets(['v2']) },
    ],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `PATCH ${widgets('v1')}/there`, body: { spec: { size: 2 } }, contentType: MERGE },
      { request: `POST ${widgets('v2')}`, body: widget('two', 'v2', { size: 11 }) },
      { request: `DELETE ${widgets('v1')}/there` },
    ],
  },
  {
    name: 'widget-patches',
    webhooks: [{ type: 'mutating', does: '/add-unknown-spec', ...onWidgets() }],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `PATCH ${widgets('v2')}/one`, body: { spec: { size: 2 } }, contentType: MERGE },
    ],
  },
  {
    name: 'widget-versions',
    webhooks: [{ type: 'mutating', does: '/add-unknown-spec', ...onWidgets(['v2']) }],
    steps: [
      { request: `POST ${widgets('v1')}`, body: widget('one', 'v1') },
      { request: `POST ${widgets('v2')}`, body: widget('two', 'v2') },
    ],
  },
  {
    name: 'widget-subresources',
    setUp: [{ request: `POST ${widgets('v1')}`, body: widget('one', 'v1', { size: 1, replicas: 1 }) }],
    webhooks: [
      { type: 'mutating', does: '/allow', ...onWidgets(['*'], ['widgets/status', 'widgets/scale']) },
      { type: 'validating', does: '/allow', ...onWidgets(['*'], ['*/*']) },
    ],
    steps: [
      { request: `PATCH ${widgets('v1')}/one/status`, body: { status: { phase: 'Done' } }, contentType: MERGE },
      { request: `PATCH ${widgets('v2')}/one/scale`, body: { spec: { replicas: 3 } }, contentType: MERGE },
    ],
  },
];

const MORE: Scenario[] = [
  {
    name: 'sequence',
    webhooks: [
      { type: 'mutating', does: '/add-data', reinvocationPolicy: 'IfNeeded' },
      { type: 'mutating', does: '/add-more-data' },
      { type: 'mutating', does: '/add-data-once', reinvocationPolicy: 'IfNeeded' },
      { type: 'validating', does: '/allow' },
    ],
    steps: [create('one')],
  },
  {
    name: 'sidecars',
    webhooks: [{ type: 'mutating', does: '/add-container', ...rule(['pods'], [''], ['CREATE']) }],
    steps: [{ request: `POST ${PODS}`, body: pod('one') }],
  },
  {
    name: 'rescaled',
    setUp: [{ request: `POST ${DEPLOYMENTS}`, body: deployment('web') }],
    webhooks: [{ type: 'mutating', does: '/more-replicas', ...rule(['deployments/scale'], ['apps']) }],
    steps: [
      { request: `PATCH ${DEPLOYMENTS}/web/scale`, body: { spec: { replicas: 3 } }, contentType: MERGE },
      { request: `GET ${DEPLOYMENTS}/web` },
    ],
  },
  {
    name: 'deletions',
    setUp: [create('one'), create('two'), create('three')],
    webhooks: [{ type: 'mutating', does: '/add-data', ...rule(['configmaps'], [''], ['DELETE']) }],
    steps: [{ request: `DELETE ${CONFIGMAPS}/one` }, { request: `DELETE ${CONFIGMAPS}` }],
  },
  {
    name: 'refused-deletions',
    setUp: [create('one'), create('two')],
    webhooks: [{ type: 'validating', does: '/deny', ...rule(['configmaps'], [''], ['DELETE']) }],
    steps: [
      { request: `DELETE ${CONFIGMAPS}/one` },
      { request: `DELETE ${CONFIGMAPS}` },
      { request: `GET ${CONFIGMAPS}` },
    ],
  },
  {
    name: 'conditions',
    webhooks: [
      {
        type: 'validating',
        does: '/deny',
        ...NOT_PROBES,
        matchConditions: [
          { name: 'data', expression: "object.data.size == 'large'" },
          { name: 'user', expression: "request.userInfo.username == 'admin' && request.operation == 'CREATE'" },
        ],
      },
    ],
    steps: [
      { request: `POST ${CONFIGMAPS}`, body: configMap('small', { size: 'small' }) },
      { request: `POST ${CONFIGMAPS}`, body: configMap('large', { size: 'large' }) },
      { request: `POST ${CONFIGMAPS}`, body: configMap('none', { other: 'x' }) },
      { request: `POST ${CONFIGMAPS}`, body: { metadata: { name: 'empty' } } },
      { request: `PATCH ${CONFIGMAPS}/small`, body: { data: { size: 'large' } }, contentType: MERGE },
    ],
  },
  {
    name: 'conditions-ignored',
    webhooks: [
      {
        type: 'mutating',
        does: '/deny',
        ...NOT_PROBES,
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'data', expression: "object.data.size == 'large'" }],
      },
    ],
    steps: [{ request: `POST ${CONFIGMAPS}`, body: configMap('none', { other: 'x' }) }],
  },
  {
    name: 'conditions-of-requests',
    webhooks: [
      {
        type: 'validating',
        does: '/deny',
        ...NOT_PROBES,
        matchConditions: [
          {
            name: 'resource',
            expression: "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
          },
          { name: 'new', expression: 'oldObject == null && request.dryRun' },
          { name: 'options', expression: "has(request.options.fieldManager) && request.options.fieldManager == 'me'" },
          {
            name: 'groups',
            expression: "'system:masters' in request.userInfo.groups && request.namespace == 'conditions-of-requests'",
          },
        ],
      },
    ],
    steps: [create('one', '?dryRun=All&fieldManager=me'), create('one', '?dryRun=All'), create('one')],
  },
  {
    name: 'services',
    webhooks: [
      {
        type: 'validating',
        does: '/allow',
        ...NOT_PROBES,
        clientConfig: { service: { namespace: 'default', name: 'nowhere', path: '/x' } },
      },
    ],
    steps: [create('one')],
  },
  {
    name: 'strangers',
    webhooks: [
      // The certificate of somebody else altogether.
      { type: 'validating', does: '/allow', ...NOT_PROBES, clientConfig: 'untrusted' },
    ],
    steps: [create('one')],
  },
  {
    name: 'nobody-there',
    webhooks: [{ type: 'validating', does: '/allow', ...NOT_PROBES, clientConfig: { url: 'https://127.0.0.1:1/x' } }],
    steps: [create('one')],
  },
  { ...meeting('validating', '/hang', { timeoutSeconds: 1 }), name: 'hanging' },
  { ...meeting('validating', '/hang', { timeoutSeconds: 1, failurePolicy: 'Ignore' }), name: 'hanging-ignored' },
  {
    name: 'applied-patches',
    webhooks: [{ type: 'mutating', does: '/add-data', ...rule(['configmaps']), ...NOT_PROBES }],
    steps: [
      { request: `PATCH ${CONFIGMAPS}/one?fieldManager=a`, body: configMap('one'), contentType: APPLY },
      { request: `PATCH ${CONFIGMAPS}/one?fieldManager=a`, body: configMap('one', { given: 'z' }), contentType: APPLY },
      {
        request: `PATCH ${CONFIGMAPS}/one?fieldManager=b`,
        body: configMap('one', { added: 'mine' }),
        contentType: APPLY,
      },
      { request: `PUT ${CONFIGMAPS}/one`, body: configMap('one', { given: 'w' }) },
    ],
  },
];

export const scenarios: readonly Scenario[] = [
  ...DECISIONS,
  ...BAD_ANSWERS,
  ...PATCHES,
  ...IGNORED,
  ...OBSERVED,
  ...CUSTOM,
  ...MORE,
];
