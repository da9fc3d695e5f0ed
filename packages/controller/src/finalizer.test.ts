import { type ConfigMap, configMaps, isConflict, isNotFound } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { finalize } from './finalizer.ts';
import { createHome, type Home } from './testing/home.fixture.ts';

let home: Home;
let cleanups: number;
let answer: 'cleaned' | 'waiting';
beforeEach(async () => {
  home = await createHome();
  cleanups = 0;
  answer = 'cleaned';
});

const reference = { namespace: 'default', name: 'a' };
const create = (finalizers: string[] = []) =>
  home.client.create(configMaps, { metadata: { ...reference, finalizers } });
const stored = () => home.client.get(configMaps, reference);
const run = (object: ConfigMap) =>
  finalize(home.client, configMaps, object, {
    name: 'test.io/clean',
    async cleanup() {
      cleanups++;
      return answer;
    },
  });

describe('a finalizer', () => {
  it('is put on before anything else, beside those of others, and gives the newer object', async () => {
    const result = await run(await create(['other.io/x']));
    expect((await stored()).metadata.finalizers).toEqual(['other.io/x', 'test.io/clean']);
    expect(result).toEqual({ state: 'live', object: await stored() });
    const again = await run(await stored());
    expect(again).toEqual({ state: 'live', object: await stored() });
    expect(cleanups).toBe(0);
  });

  it('cleans up when the object is deleted, and then lets it go', async () => {
    await run(await create());
    await home.client.delete(configMaps, reference);
    answer = 'waiting';
    expect(await run(await stored())).toEqual({ state: 'waiting' });
    answer = 'cleaned';
    expect(await run(await stored())).toEqual({ state: 'gone' });
    await expect(stored()).rejects.toSatisfy(isNotFound);
    expect(cleanups).toBe(2);
  });

  it('touches nothing when an object is deleted that it was never on', async () => {
    await create(['other.io/x']);
    await home.client.delete(configMaps, reference);
    expect(await run(await stored())).toEqual({ state: 'gone' });
    expect(cleanups).toBe(0);
    expect((await stored()).metadata.finalizers).toEqual(['other.io/x']);
  });

  it('does not write over a change that it has not seen', async () => {
    const old = await create();
    await home.client.patch(configMaps, reference, { merge: { metadata: { finalizers: ['new.io/x'] } } });
    await expect(run(old)).rejects.toSatisfy(isConflict);
  });
});
