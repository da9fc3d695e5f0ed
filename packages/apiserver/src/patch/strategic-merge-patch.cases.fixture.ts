/**
 * Strategic merge patches of a Deployment and what becomes of it. The results are those of a real API server:
 * `strategic-merge-patch.real.test.ts` sends it the same patches.
 */
import type { Json } from '@capstan/kube';

/** Of the Deployment below, as a path; and what stands there after the patch (undefined: nothing). */
export interface StrategicCase {
  readonly name: string;
  readonly patch: Json;
  readonly at: string;
  readonly expected: Json | undefined;
}

export const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'default',
    labels: { app: 'web', tier: 'front' },
    finalizers: ['example.com/a', 'example.com/b', 'example.com/c'],
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'main:1',
            args: ['a', 'b'],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
              { name: 'C', value: '3' },
            ],
            ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
          },
          { name: 'side', image: 'side:1' },
          { name: 'third', image: 'third:1' },
        ],
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'config', configMap: { name: 'settings' } },
        ],
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
        imagePullSecrets: [{ name: 'one' }, { name: 'two' }],
        nodeSelector: { disk: 'ssd', zone: 'a' },
        securityContext: {},
      },
    },
  },
} as const satisfies Json;

const inPod = (spec: Json): Json => ({ spec: { template: { spec } } });
const CONTAINERS = 'spec.template.spec.containers.*.name';
const ENV = 'spec.template.spec.containers.0.env';
const one = (name: string, patch: Json, at: string, expected: Json | undefined): StrategicCase => ({
  name,
  patch,
  at,
  expected,
});

export const STRATEGIC_CASES: readonly StrategicCase[] = [
  one('a scalar is replaced', { spec: { replicas: 5 } }, 'spec.replicas', 5),
  one('a map is merged', { metadata: { labels: { tier: 'back', new: 'x' } } }, 'metadata.labels', {
    app: 'web',
    tier: 'back',
    new: 'x',
  }),
  one('null removes from a map', { metadata: { labels: { tier: null } } }, 'metadata.labels', { app: 'web' }),
  one(
    'a list with a merge key is merged by it',
    inPod({ containers: [{ name: 'side', image: 'side:2' }] }),
    'spec.template.spec.containers.*.image',
    ['main:1', 'side:2', 'third:1'],
  ),
  one('a new item goes behind', inPod({ containers: [{ name: 'new', image: 'new:1' }] }), CONTAINERS, [
    'new',
    'main',
    'side',
    'third',
  ]),
  one(
    'a new item after one that is there',
    inPod({ containers: [{ name: 'side' }, { name: 'new', image: 'new:1' }] }),
    CONTAINERS,
    ['main', 'side', 'new', 'third'],
  ),
  one('items in the order of the patch', inPod({ containers: [{ name: 'third' }, { name: 'main' }] }), CONTAINERS, [
    'side',
    'third',
    'main',
  ]),
  one('an item is deleted', inPod({ containers: [{ name: 'side', $patch: 'delete' }] }), CONTAINERS, ['main', 'third']),
  one(
    'deleting what is not there does nothing',
    inPod({ containers: [{ name: 'nobody', $patch: 'delete' }] }),
    CONTAINERS,
    ['main', 'side', 'third'],
  ),
  one(
    'a list is replaced',
    inPod({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'only:1' }] }),
    CONTAINERS,
    ['only'],
  ),
  one(
    'a nested list is merged by its own key',
    inPod({ containers: [{ name: 'main', env: [{ name: 'B', value: '9' }] }] }),
    ENV,
    [
      { name: 'A', value: '1' },
      { name: 'B', value: '9' },
      { name: 'C', value: '3' },
    ],
  ),
  one(
    'a nested item is deleted',
    inPod({ containers: [{ name: 'main', env: [{ name: 'B', $patch: 'delete' }] }] }),
    ENV,
    [
      { name: 'A', value: '1' },
      { name: 'C', value: '3' },
    ],
  ),
  one(
    'a field of an item is removed',
    inPod({ containers: [{ name: 'main', ports: null }] }),
    'spec.template.spec.containers.0.ports',
    undefined,
  ),
  one(
    'a list without a strategy is replaced',
    inPod({ containers: [{ name: 'main', args: ['c'] }] }),
    'spec.template.spec.containers.0.args',
    ['c'],
  ),
  one(
    'atomic lists of objects are replaced',
    inPod({ tolerations: [{ key: 'c', operator: 'Exists' }] }),
    'spec.template.spec.tolerations',
    [{ key: 'c', operator: 'Exists' }],
  ),
  one(
    'an order is set',
    inPod({ '$setElementOrder/containers': [{ name: 'third' }, { name: 'side' }, { name: 'main' }] }),
    CONTAINERS,
    ['third', 'side', 'main'],
  ),
  one(
    'an order is set with a change and a new item',
    inPod({
      '$setElementOrder/containers': [{ name: 'new' }, { name: 'main' }],
      containers: [{ name: 'new', image: 'new:1' }],
    }),
    CONTAINERS,
    ['new', 'main', 'side', 'third'],
  ),
  one(
    'an order names only some',
    inPod({ '$setElementOrder/containers': [{ name: 'third' }, { name: 'main' }] }),
    CONTAINERS,
    ['side', 'third', 'main'],
  ),
  one(
    'an order with a deletion',
    inPod({
      '$setElementOrder/containers': [{ name: 'third' }, { name: 'main' }],
      containers: [{ name: 'side', $patch: 'delete' }],
    }),
    CONTAINERS,
    ['third', 'main'],
  ),
  one(
    'an order of a nested list',
    inPod({
      containers: [
        { name: 'main', '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }], env: [{ name: 'C', value: '0' }] },
      ],
    }),
    'spec.template.spec.containers.0.env.*.name',
    ['B', 'C', 'A'],
  ),
  one(
    'primitives are merged as a set',
    { metadata: { finalizers: ['example.com/d', 'example.com/a'] } },
    'metadata.finalizers',
    ['example.com/d', 'example.com/a', 'example.com/b', 'example.com/c'],
  ),
  one(
    'primitives are deleted',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/b'] } },
    'metadata.finalizers',
    ['example.com/a', 'example.com/c'],
  ),
  one(
    'primitives are deleted, added and ordered',
    {
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['example.com/b'],
        '$setElementOrder/finalizers': ['example.com/c', 'example.com/e', 'example.com/a'],
        finalizers: ['example.com/e'],
      },
    },
    'metadata.finalizers',
    ['example.com/c', 'example.com/e', 'example.com/a'],
  ),
  one(
    'only some keys are retained',
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    'spec.strategy',
    { type: 'Recreate' },
  ),
  one(
    'a volume changes its kind',
    inPod({ volumes: [{ name: 'data', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x', type: '' } }] }),
    'spec.template.spec.volumes.0',
    { name: 'data', hostPath: { path: '/x', type: '' } },
  ),
  one(
    'a map is replaced',
    inPod({ nodeSelector: { $patch: 'replace', gpu: 'yes' } }),
    'spec.template.spec.nodeSelector',
    { gpu: 'yes' },
  ),
  one('a map is emptied', inPod({ nodeSelector: { $patch: 'delete' } }), 'spec.template.spec.nodeSelector', undefined),
  one(
    'a directive for an empty map',
    inPod({ securityContext: { $patch: 'replace', runAsUser: 1 } }),
    'spec.template.spec.securityContext.runAsUser',
    1,
  ),
  one(
    'a directive for what is not there',
    inPod({ affinity: { $patch: 'replace', nodeAffinity: {} } }),
    'spec.template.spec.affinity',
    undefined,
  ),
  one(
    'a new list loses its nulls and directives',
    inPod({
      initContainers: [
        { name: 'i', image: 'i:1', env: null },
        { name: 'j', $patch: 'delete' },
      ],
    }),
    'spec.template.spec.initContainers.*.name',
    ['i'],
  ),
  one(
    'another merge key',
    inPod({ imagePullSecrets: [{ name: 'three' }] }),
    'spec.template.spec.imagePullSecrets.*.name',
    ['three', 'one', 'two'],
  ),
  one('a list becomes null', inPod({ imagePullSecrets: null }), 'spec.template.spec.imagePullSecrets', undefined),
];

/** The value at a dotted path; `*` gathers what follows from all items of a list. */
export function pick(value: unknown, path: string): Json | undefined {
  const [step, ...rest] = path.split('.');
  if (step === undefined || step === '') return value as Json;
  if (step === '*') return (value as Json[]).map(item => pick(item, rest.join('.'))!) as Json;
  const next = (value as Record<string, unknown> | undefined)?.[step];
  return rest.length === 0 ? (next as Json | undefined) : pick(next, rest.join('.'));
}
