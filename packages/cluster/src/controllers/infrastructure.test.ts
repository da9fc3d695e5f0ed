import { createClient } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../testing/bench.fixture.ts';
import { infrastructureScript, type Until } from '../testing/infrastructure-script.fixture.ts';
import recorded from './fixtures/infrastructure.json' with { type: 'json' };
import { builtinControllers } from './index.ts';
import { persistentVolumeController } from './persistentvolume/index.ts';
import { rootCaController } from './root-ca/index.ts';

/** Ours, for as long as a user would be willing to wait. */
function patient({ clock }: Bench): Until {
  return async (what, condition) => {
    for (let second = 0; second < 60; second++) {
      if (await condition()) return;
      await clock.advance(1_000);
    }
    throw new Error(`not within a minute: ${what}`);
  };
}

describe('what the controllers make of what a user does', () => {
  it("is what Kubernetes' own make of it", async () => {
    const others = builtinControllers.filter(({ name }) => name !== 'scheduler');
    const bench = await startBench([...others, persistentVolumeController(), rootCaController('PEM')]);
    const { server, clock, random } = bench;
    const client = createClient({ transport: server.transport(), clock, random });
    expect(await infrastructureScript(client, patient(bench))).toEqual(recorded);
    await bench.stop();
  });
});
