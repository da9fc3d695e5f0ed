import { expect, test } from 'vitest';
import type { Draft } from '../kind.ts';
import { hpaFromStorage, hpaToStorage } from './hpa-conversion.ts';

const stored = (spec: object, status: object = {}): Draft => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', annotations: { mine: 'kept' } },
  spec: { maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'web' }, ...spec },
  status,
});

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const everyMetric = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '500Mi' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'main', target: { type: 'Utilization', averageUtilization: 60 } },
  },
  { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } } },
  {
    type: 'Object',
    object: {
      metric: { name: 'hits' },
      describedObject: { kind: 'Service', name: 'web' },
      target: { type: 'Value', value: '10k' },
    },
  },
  {
    type: 'External',
    external: {
      metric: { name: 'queue', selector: { matchLabels: { q: 'a' } } },
      target: { type: 'AverageValue', averageValue: '30' },
    },
  },
];

test('a target for CPU is a field of version 1', () => {
  const v1 = hpaFromStorage(stored({ metrics: [cpu(50)] }));
  expect(v1).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 50 } });
  expect(v1.metadata.annotations).toEqual({ mine: 'kept' });
});

test('version 1 without a target means 80 percent of CPU', () => {
  const v1 = { metadata: { name: 'web' }, spec: { maxReplicas: 5 } };
  expect(hpaToStorage(v1)).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { metrics: [cpu(80)] } });
});

test('a client of version 1 that reads and writes back loses nothing', () => {
  const behavior = {
    scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
    scaleDown: { selectPolicy: 'Disabled' },
  };
  const status = {
    currentReplicas: 2,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '400m' } } },
      { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '90' } } },
    ],
    conditions: [{ type: 'AbleToScale', status: 'True' }],
  };
  const original = stored({ metrics: [...everyMetric, cpu(50)], behavior }, status);
  const v1 = hpaFromStorage(original);
  expect(v1['spec']).not.toHaveProperty('metrics');
  expect(v1['status']).toMatchObject({ currentCPUUtilizationPercentage: 40 });
  expect(hpaToStorage(v1)).toEqual(original);
});

test.each(['5', 'null', '[5]', '{', '[{"type":5}]', '{"ScaleUp":5}'])('the annotation %s is as if absent', text => {
  const annotations = Object.fromEntries(
    ['metrics', 'behavior', 'current-metrics', 'conditions'].map(name => [
      `autoscaling.alpha.kubernetes.io/${name}`,
      text,
    ]),
  );
  const converted = hpaToStorage({ metadata: { name: 'web', annotations }, spec: { maxReplicas: 5 } });
  expect(converted['spec']).toEqual({ maxReplicas: 5, metrics: [cpu(80)] });
});

test('a new autoscaler, whose status Go writes with nulls, is read in version 1', () => {
  const v1 = hpaFromStorage(
    stored({ metrics: [cpu(50)] }, { currentMetrics: null, conditions: null, currentReplicas: 0 }),
  );
  expect(v1['status']).toEqual({ currentReplicas: 0 });
});
