import { expect, test } from 'vitest';
import { roundTrip, zeroStruct } from './round-trip.ts';

const CORE = 'io.k8s.api.core.v1';

function roundTripped(definition: string, object: Record<string, unknown>): unknown {
  roundTrip(object, definition);
  return object;
}

test('empty values of optional fields are gone, those of pointers stay', () => {
  const spec = {
    nodeName: '',
    hostNetwork: false,
    tolerations: [],
    nodeSelector: {},
    terminationGracePeriodSeconds: 0,
  };
  expect(roundTripped(`${CORE}.PodSpec`, { ...spec, containers: [] })).toEqual({
    containers: null,
    terminationGracePeriodSeconds: 0,
  });
});

test('fields that are always written appear', () => {
  expect(zeroStruct('io.k8s.api.apps.v1.DeploymentSpec')).toEqual({
    selector: null,
    strategy: {},
    template: { metadata: {}, spec: { containers: null } },
  });
  expect(zeroStruct('io.k8s.api.apps.v1.DeploymentStatus')).toEqual({});
  expect(zeroStruct('io.k8s.api.apps.v1.ReplicaSetStatus')).toEqual({ replicas: 0 });
  expect(zeroStruct(`${CORE}.Event`)).toMatchObject({ eventTime: null, firstTimestamp: null, source: {} });
});

test('quantities become canonical, in lists of resources rounded up to thousandths', () => {
  const resources = { limits: { cpu: 1.5, memory: '1024Mi', storage: ' 1e3 ' }, requests: { cpu: '0.00001' } };
  expect(roundTripped(`${CORE}.ResourceRequirements`, resources)).toEqual({
    limits: { cpu: '1500m', memory: '1Gi', storage: '1e3' },
    requests: { cpu: '1m' },
  });
});

test('times are kept in whole seconds of UTC, base64 in its one true form', () => {
  expect(roundTripped(`${CORE}.PodStatus`, { startTime: '2026-01-02T05:04:05.9+02:00' })).toEqual({
    startTime: '2026-01-02T03:04:05Z',
  });
  expect(roundTripped(`${CORE}.Secret`, { metadata: {}, data: { a: 'YQ\n==' } })).toMatchObject({
    data: { a: 'YQ==' },
  });
});

test('defaults that the API declares are filled in where their object is', () => {
  expect(roundTripped(`${CORE}.Container`, { name: 'a', ports: [{ containerPort: 80 }] })).toMatchObject({
    ports: [{ containerPort: 80, protocol: 'TCP' }],
  });
});

test('what Kubernetes does not look into is left alone', () => {
  const data = { spec: { empty: '', list: [], nothing: null } };
  expect(roundTripped('io.k8s.api.apps.v1.ControllerRevision', { metadata: {}, revision: 1, data })).toMatchObject({
    data,
  });
});

test('an object that has been through it already is not written to', () => {
  const pod = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b', resources: {} }] } };
  roundTrip(pod, `${CORE}.Pod`);
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.freeze(value);
    for (const child of Object.values(value)) freeze(child);
  };
  freeze(pod);
  expect(() => roundTrip(pod, `${CORE}.Pod`)).not.toThrow();
});
