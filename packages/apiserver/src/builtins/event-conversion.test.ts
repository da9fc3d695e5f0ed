import { expect, test } from 'vitest';
import { eventFromStorage, eventToStorage } from './event-conversion.ts';

const stored = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web.1' },
  involvedObject: { kind: 'Pod', name: 'web' },
  message: 'Started it',
  count: 2,
  reportingComponent: 'kubelet',
  reportingInstance: 'node-1',
  reason: 'Started',
};

test('an Event reads in its newer group with its newer field names', () => {
  expect(eventFromStorage(stored)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'web.1' },
    regarding: { kind: 'Pod', name: 'web' },
    note: 'Started it',
    deprecatedCount: 2,
    reportingController: 'kubelet',
    reportingInstance: 'node-1',
    reason: 'Started',
  });
});

test('an Event is the same after it has been written back through its newer group', () => {
  expect(eventToStorage(eventFromStorage(stored))).toEqual(stored);
});
