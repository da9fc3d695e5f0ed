import { type ConfigMap, configMaps, events, TransportError } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Manager } from '../manager/manager.ts';
import { createHome, type Home } from '../testing/home.fixture.ts';
import type { Recorder } from './events.ts';

let home: Home;
let manager: Manager;
let recorder: Recorder;
let object: ConfigMap;
beforeEach(async () => {
  home = await createHome();
  manager = home.manager();
  recorder = manager.recorder('capstan-test');
  object = await home.client.create(configMaps, { metadata: { namespace: 'default', name: 'a' } });
});

async function recorded() {
  const flushed = recorder.flush();
  await home.clock.advance(30_000);
  await flushed;
  const { items } = await home.client.list(events, { namespace: 'default' });
  return items.map(({ type, reason, message, count }) => ({ type, reason, message, count }));
}

describe('a recorder', () => {
  it('writes an Event that kubectl describe finds', async () => {
    recorder.record(object, { type: 'Normal', reason: 'Copied', message: 'copied to b' });
    expect(await recorded()).toEqual([{ type: 'Normal', reason: 'Copied', message: 'copied to b', count: 1 }]);
    const [event] = (await home.client.list(events, { namespace: 'default' })).items;
    expect(event).toMatchObject({
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: object.metadata.uid },
      source: { component: 'capstan-test' },
      firstTimestamp: '2026-01-01T00:00:00Z',
    });
  });

  it('counts the same event up instead of writing it again', async () => {
    for (let n = 0; n < 5; n++) recorder.record(object, { type: 'Warning', reason: 'Failed', message: 'no' });
    expect(await recorded()).toEqual([{ type: 'Warning', reason: 'Failed', message: 'no', count: 5 }]);
  });

  it('tells which part of the object it is about, and on which node it happened', async () => {
    recorder = manager.recorder('kubelet', { host: 'laptop' });
    for (const name of ['a', 'b']) {
      recorder.record(object, {
        type: 'Normal',
        reason: 'Started',
        message: 'started',
        fieldPath: `spec.containers{${name}}`,
      });
    }
    expect(await recorded()).toHaveLength(2);
    const { items } = await home.client.list(events, { namespace: 'default' });
    expect(items.map(({ involvedObject }) => involvedObject.fieldPath)).toEqual(
      expect.arrayContaining(['spec.containers{a}', 'spec.containers{b}']),
    );
    expect(items[0]).toMatchObject({ source: { component: 'kubelet', host: 'laptop' }, reportingInstance: 'laptop' });
  });

  it('combines events that differ in their message only', async () => {
    for (let n = 0; n < 14; n++) recorder.record(object, { type: 'Warning', reason: 'Failed', message: `try ${n}` });
    const found = await recorded();
    expect(found).toHaveLength(11);
    expect(found).toContainEqual({
      type: 'Warning',
      reason: 'Failed',
      message: '(combined from similar events): try 13',
      count: 4,
    });
  });

  it('gives one object no more than a burst, then one every five minutes', async () => {
    for (let n = 0; n < 100; n++) recorder.record(object, { type: 'Warning', reason: `Reason${n}`, message: 'no' });
    expect(await recorded()).toHaveLength(25);
    await home.clock.advance(300_000);
    for (let n = 0; n < 10; n++) recorder.record(object, { type: 'Warning', reason: `Later${n}`, message: 'no' });
    expect(await recorded()).toHaveLength(26);
  });

  it('keeps secrets out of messages', async () => {
    recorder.record(object, { type: 'Warning', reason: 'Failed', message: 'GET https://joe:hunter2@host/ said no' });
    expect((await recorded())[0]!.message).toBe('GET https://joe:[redacted]@host/ said no');
  });

  it('never throws, whatever the API server does', async () => {
    const transport = home.transport();
    const broken = home.manager({
      transport: { ...transport, request: () => Promise.reject(new TransportError('ECONNREFUSED', 'down')) },
    });
    recorder = broken.recorder('capstan-test');
    recorder.record(object, { type: 'Normal', reason: 'Copied', message: 'copied' });
    expect(await recorded()).toEqual([]);
    expect(home.lines.at(-1)).toMatchObject({ level: 'warn', message: 'an Event was not written', reason: 'Copied' });
  });
});
