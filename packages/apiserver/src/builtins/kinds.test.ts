import { expect, test } from 'vitest';
import { builtinKinds } from './kinds.ts';
import { virtualKinds } from './virtual-kinds.ts';

const named = (kind: string, group?: string) =>
  builtinKinds().find(entry => entry.kind === kind && (group === undefined || entry.group === group))!;

test('every kind has a schema of an object with metadata', () => {
  for (const kind of builtinKinds()) {
    expect(kind.schema.type, kind.kind).toBe('object');
    expect(kind.schema.properties, kind.kind).toHaveProperty('metadata');
  }
});

test('no two kinds share a plural in a group and version, nor a short name in a group', () => {
  const plurals = [...builtinKinds(), ...virtualKinds].map(kind => `${kind.group}/${kind.version}/${kind.plural}`);
  expect(new Set(plurals).size).toBe(plurals.length);
  const shortNames = builtinKinds()
    .filter(kind => kind.storage.group === kind.group && kind.storage.version === kind.version)
    .flatMap(kind => kind.shortNames);
  expect(new Set(shortNames).size).toBe(shortNames.length);
});

test('a status subresource is served exactly where Kubernetes serves one', () => {
  const without = builtinKinds().filter(kind => kind.schema.properties?.['status'] && !kind.subresources.status);
  expect(without).toEqual([]);
  const empty = builtinKinds().filter(kind => kind.subresources.status && !kind.schema.properties?.['status']);
  expect(empty).toEqual([]);
});

test('the storage of each kind is a served version', () => {
  for (const { storage } of builtinKinds()) {
    expect(builtinKinds()).toContainEqual(
      expect.objectContaining({ group: storage.group, plural: storage.plural, version: storage.version }),
    );
  }
});

test('Pods are selected by what Kubernetes lets one select them by, unset fields being empty', () => {
  const pod = { metadata: {}, spec: { nodeName: 'a', hostNetwork: true }, status: { podIPs: [{ ip: '10.0.0.1' }] } };
  const fields = Object.entries(named('Pod').selectableFields).map(([path, read]) => [path, read(pod)]);
  expect(Object.fromEntries(fields)).toEqual({
    'spec.nodeName': 'a',
    'spec.restartPolicy': '',
    'spec.schedulerName': '',
    'spec.serviceAccountName': '',
    'spec.hostNetwork': 'true',
    'status.phase': '',
    'status.podIP': '10.0.0.1',
    'status.nominatedNodeName': '',
  });
});

test('an Event is selected alike through both of its groups', () => {
  const stored = { metadata: {}, involvedObject: { kind: 'Pod', name: 'a' }, source: { component: 'kubelet' } };
  expect(named('Event', '').selectableFields['involvedObject.name']!(stored)).toBe('a');
  expect(named('Event', '').selectableFields['source']!(stored)).toBe('kubelet');
  const eventsGroup = named('Event', 'events.k8s.io');
  expect(eventsGroup.selectableFields['regarding.name']!(stored)).toBe('a');
  expect(eventsGroup.selectableFields['regarding.name']!(eventsGroup.fromStorage!(stored))).toBe('a');
});
