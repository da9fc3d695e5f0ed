import { expect, test } from 'vitest';
import type { Draft, Stored } from '../kind.ts';
import { admitPod } from './pod-admission.ts';

const pod = (spec: object = {}): Draft => ({ metadata: { name: 'p' }, spec });
const priorityClass = (name: string, value: number, more: object = {}): Stored => ({
  metadata: { name },
  value,
  ...more,
});

test('a Pod has a priority and leaves a lost node after five minutes', () => {
  const draft = pod();
  admitPod(draft, []);
  expect(draft['spec']).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  expect(draft['spec'].tolerations).toHaveLength(2);
});

test('a Pod that tolerates everything is left as it is', () => {
  const draft = pod({ tolerations: [{ operator: 'Exists' }] });
  admitPod(draft, []);
  expect(draft['spec'].tolerations).toEqual([{ operator: 'Exists' }]);
});

test('its class gives the priority, and without one the default of the cluster does', () => {
  const classes = [
    priorityClass('high', 100, { preemptionPolicy: 'Never' }),
    priorityClass('usual', 7, { globalDefault: true }),
  ];
  const high = pod({ priorityClassName: 'high' });
  admitPod(high, classes);
  expect(high['spec']).toMatchObject({ priority: 100, preemptionPolicy: 'Never' });
  const usual = pod();
  admitPod(usual, classes);
  expect(usual['spec']).toMatchObject({ priority: 7, priorityClassName: 'usual' });
});

test('a class that does not exist, or a priority of its own, is refused', () => {
  expect(() => admitPod(pod({ priorityClassName: 'none' }), [])).toThrow('no PriorityClass with name none was found');
  expect(() => admitPod(pod({ priority: 5 }), [])).toThrow('the integer value of priority (5) must not be provided');
});
