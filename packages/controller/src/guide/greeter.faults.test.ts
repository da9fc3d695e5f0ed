import { configMaps } from '@capstan/kube';
import { explore, type Fault, replay, type Scenario } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { ensureCrds } from '../crd/ensure-crds.ts';
import { silentLog } from '../log/log.ts';
import { createManager } from '../manager/manager.ts';
import { ManualClock } from '../testing/manual-clock.fixture.ts';
import { addGreeter, greetings } from './greeter.fixture.ts';

const at = (name: string) => ({ namespace: 'default', name });

/** Two Greetings are there, one is changed, a ConfigMap is deleted, a third Greeting comes. */
const scenario: Scenario = {
  name: 'the controller of the guide',
  deadline: 600_000,
  async arrange(client) {
    await ensureCrds([greetings], { client, clock: new ManualClock() });
    for (const name of ['world', 'moon'])
      await client.create(greetings, { metadata: at(name), spec: { name, times: 1 } });
  },
  start({ transport, clock, random }) {
    const manager = createManager({ transport, clock, random, log: silentLog });
    addGreeter(manager);
    return manager.start();
  },
  async act(client) {
    await client.patch(greetings, at('world'), { merge: { spec: { times: 2 } } });
    await client.delete(configMaps, at('moon'));
    await client.create(greetings, { metadata: at('sun'), spec: { name: 'sun', times: 1 } });
  },
  async observe(client) {
    const texts = (await client.list(configMaps)).items.map(({ metadata, data }) => [metadata.name, data]);
    const statuses = (await client.list(greetings)).items.map(({ metadata, status }) => [metadata.name, status]);
    return { texts, statuses };
  },
};

describe('the controller of the guide ends as it should', () => {
  it('whenever it is killed, once or twice', { timeout: 60_000 }, async () => {
    const { failures, schedules, writes } = await explore(scenario);
    expect(failures).toEqual([]);
    // Three ConfigMaps with their statuses, one of each changed, one ConfigMap put back.
    expect(writes).toBe(9);
    expect(schedules).toBeGreaterThan(9 * 9);
  });

  const writes = Array.from({ length: 9 }, (_, index) => index + 1);
  const faults = writes.flatMap<Fault>(write => [
    { kind: 'lost-answer', write },
    { kind: 'refused', write, code: 409 },
    { kind: 'refused', write, code: 429 },
    { kind: 'refused', write, code: 500 },
    { kind: 'watches-dropped', write },
    { kind: 'watches-expired', write },
    { kind: 'stale', write, table: '/configmaps', milliseconds: 5_000 },
    { kind: 'stale', write, table: 'example.io/greetings', milliseconds: 30_000 },
    { kind: 'slow', write, milliseconds: 500 },
    { kind: 'clock-jump', write, milliseconds: -3_600_000 },
    { kind: 'clock-jump', write, milliseconds: 3_600_000 },
  ]);
  it(`whatever goes wrong at each of its writes (${faults.length} ways)`, { timeout: 60_000 }, async () => {
    for (const fault of faults) expect({ fault, why: await replay(scenario, [fault]) }).toEqual({ fault, why: [] });
  });
});
