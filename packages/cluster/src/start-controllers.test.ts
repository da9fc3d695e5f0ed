import { createApiServer } from '@capstan/apiserver';
import { silentLog } from '@capstan/controller';
import { createClient, namespaces, pods, serviceAccounts } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { startControllers } from './start-controllers.ts';
import { addNode } from './testing/objects.fixture.ts';

async function start(leaveOut: readonly string[] = []) {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random, serviceAccountAdmission: true });
  const transport = server.transport();
  const options = { transport, clock, random, log: silentLog, rootCertificate: 'PEM' };
  return {
    clock,
    client: createClient({ transport, clock, random }),
    running: startControllers({ ...options, leaveOut }),
  };
}

describe('the built-in controllers', () => {
  it('work together on one manager, and stop in good order', async () => {
    const { clock, client, running } = await start();
    const { names, stop } = await running;
    expect(names).toEqual(expect.arrayContaining(['namespace', 'garbage-collector', 'scheduler', 'root-ca']));
    await addNode(client, { name: 'n1' });
    await client.create(namespaces, { metadata: { name: 'apps' } });
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const created = client.create(pods, { metadata: { namespace: 'apps', name: 'p' }, spec });
    await clock.advance(1_000);
    await created;
    await clock.advance(1_000);
    expect((await client.get(pods, { namespace: 'apps', name: 'p' })).spec.nodeName).toBe('n1');
    await client.delete(pods, { namespace: 'apps', name: 'p' }, { grace: 0 });
    await client.delete(namespaces, { name: 'apps' });
    await clock.advance(30_000);
    expect((await client.list(namespaces)).items.map(({ metadata }) => metadata.name)).not.toContain('apps');
    const stopped = stop();
    await clock.advance(60_000);
    await stopped;
  });

  it('can be left out by name, and a name that there is not is refused', async () => {
    const { clock, client, running } = await start(['serviceaccount']);
    expect((await running).names).not.toContain('serviceaccount');
    await clock.advance(1_000);
    expect((await client.list(serviceAccounts)).items).toEqual([]);
    const wrong = await start(['nonsense']);
    await expect(wrong.running).rejects.toThrow('there is no controller named nonsense; there are namespace,');
  });
});
