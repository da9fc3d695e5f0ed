/** Order, conditions, deletions, and webhooks that cannot be reached. */
import type { Scenario, Step } from './scenario.fixture.ts';
import {
  APPLY,
  CONFIGMAPS,
  configMap,
  create,
  DEPLOYMENTS,
  deployment,
  MERGE,
  meeting,
  NOT_PROBES,
  PODS,
  pod,
  rule,
} from './scenario-words.fixture.ts';

/** A configuration with these conditions, written for trial. */
const configure = (...matchConditions: object[]): Step => ({
  request: 'POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
  body: {
    metadata: { name: 'trial' },
    webhooks: [
      {
        name: 'trial.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions,
      },
    ],
  },
});
const condition = (expression: string, name = 'one') => ({ name, expression });

export const MORE: readonly Scenario[] = [
  {
    name: 'bad-conditions',
    webhooks: [{ type: 'validating', does: '/allow' }],
    steps: [
      configure({ name: 'one' }),
      configure({ expression: 'true' }),
      configure(condition('true', 'not a name')),
      configure(condition('true'), condition('false')),
      configure(condition("'text'")),
      configure(condition('nothing == 1')),
      configure(condition('   ')),
      configure(...Array.from({ length: 65 }, (_, index) => condition('true', `c${index}`))),
    ],
  },
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
