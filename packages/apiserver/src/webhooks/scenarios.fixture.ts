/** What is tried on an API server with webhooks: by the topic, one namespace each. */
import { CUSTOM } from './custom-scenarios.fixture.ts';
import { MORE } from './more-scenarios.fixture.ts';
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
  merge,
  PODS,
  pod,
  rule,
} from './scenario-words.fixture.ts';

/** The same, and the update of what is there. */
const meetingUpdate = (does: string): Scenario => ({
  ...meeting('mutating', does),
  steps: [create('one'), merge('there', { data: { changed: 'yes' } })],
});

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

export const scenarios: readonly Scenario[] = [
  ...DECISIONS,
  ...BAD_ANSWERS,
  ...PATCHES,
  ...IGNORED,
  ...OBSERVED,
  ...CUSTOM,
  ...MORE,
];
