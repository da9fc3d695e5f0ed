import { secrets } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { JOURNAL_ANNOTATION } from '../release/journal.ts';
import type { Release } from '../release/release.ts';
import { chartOf, configMap, job, plainRenderer as render } from './chart.fixture.ts';
import { startCluster, type TestCluster } from './cluster.fixture.ts';
import type { Helm } from './context.ts';
import { Holding } from './holding.ts';
import { install } from './install.ts';
import { uninstall } from './uninstall.ts';
import { upgrade } from './upgrade.ts';

const hook = job('prepare', { 'helm.sh/hook': 'pre-install,pre-upgrade' });
const plain = chartOf({ documents: [configMap('settings')] });
const waiting = chartOf({ version: '2.0.0', documents: [configMap('settings'), configMap('second'), hook] });

let cluster: TestCluster;
let helm: Helm;
beforeEach(async () => {
  cluster = await startCluster();
  helm = cluster.helm;
});

/** A run that dies while it waits for its hook, which never ends: nothing in this cluster runs Jobs. */
async function cutOff(run: (helm: Helm) => Promise<unknown>): Promise<void> {
  let alive = true;
  const { another, clock } = cluster;
  const dying = another();
  const mortal: Helm = {
    ...dying,
    clock: { ...bound(clock), after: (ms, call) => clock.after(ms, () => alive && call()) },
  };
  void run(mortal).catch(() => {});
  await clock.advance(5_000);
  alive = false;
}
const bound = (clock: TestCluster['clock']): Helm['clock'] => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after: (ms, call) => clock.after(ms, call),
});

describe('a release that another run holds', () => {
  it('is refused while the other shows life', async () => {
    void install(cluster.another(), { name: 'app', chart: waiting, values: {}, render }).catch(() => {});
    await cluster.clock.advance(5_000);
    const second = install(helm, { name: 'app', chart: plain, values: {}, render });
    await expect(cluster.settle(second, 60_000)).rejects.toMatchObject({
      code: 'HeldByAnother',
      message: expect.stringMatching(
        /^there\/\w+ is running install on release app \(revision 1\): wait for it to end/,
      ),
    });
    expect(cluster.told).toContainEqual(expect.objectContaining({ kind: 'held', seconds: 30 }));
  });

  it('is free after the other has shown no life for the length of its lease; what it left is cleared up', async () => {
    await cutOff(mortal => upgrade(mortal, { name: 'app', chart: waiting, values: {}, render, install: true }));
    expect(await cluster.records()).toEqual(['1 pending-install: Initial install underway']);
    await cluster.settle(install(helm, { name: 'app', chart: plain, values: {}, render }), 60_000);
    expect(await cluster.records()).toEqual([
      '1 failed: Release "app" failed: the run was cut off at step "before", and something else was asked for next',
      '2 deployed: Install complete',
    ]);
    expect(cluster.told).toContainEqual({ kind: 'taken-over', outcome: 'failed', revision: 1 });
  });

  it('is uninstalled, whatever the dead run was doing', async () => {
    await cluster.settle(install(helm, { name: 'app', chart: plain, values: {}, render }));
    await cutOff(mortal => upgrade(mortal, { name: 'app', chart: waiting, values: {}, render }));
    await cluster.settle(uninstall(helm, { name: 'app' }), 60_000);
    expect(await cluster.records()).toEqual([]);
    expect(await cluster.data('settings')).toBeUndefined();
  });

  it('stops the former holder at its next write, should it wake up', async () => {
    const release: Release = {
      name: 'app',
      namespace: 'default',
      version: 1,
      info: { status: 'pending-install' },
      manifest: '',
    };
    const journal = { id: 'a', operation: 'install', intent: 'x', step: 'apply' } as const;
    const former = await Holding.begin(cluster.another(), release, journal);
    const [stored] = await helm.store.history('app');
    const holding = await Holding.take(helm, stored!, release, journal);
    await expect(former.record({ step: 'after' })).rejects.toMatchObject({ code: 'LeaseLost' });
    expect(former.signal.aborted).toBe(true);
    await expect(former.ensure()).rejects.toThrow('someone else has changed');
    await holding.record({ step: 'after' });
  });

  it('is left to Helm for a quarter of an hour, if Helm made it', async () => {
    await cluster.settle(install(helm, { name: 'app', chart: plain, values: {}, render }));
    const [stored] = await helm.store.history('app');
    const pending: Release = { ...stored!.release, version: 2, info: { status: 'pending-upgrade' } };
    await helm.store.create(pending, { id: '', operation: 'upgrade', intent: '', step: 'apply', sequence: 1 });
    const secret = { namespace: 'default', name: 'sh.helm.release.v1.app.v2' };
    await cluster.client.patch(secrets, secret, {
      merge: { metadata: { annotations: { [JOURNAL_ANNOTATION]: null } } },
    });

    const again = () => upgrade(helm, { name: 'app', chart: plain, values: {}, render });
    await expect(again()).rejects.toThrow(
      /helm has release app in status pending-upgrade.*from 2026-01-01T00:15:\d\dZ/,
    );
    await cluster.clock.advance(15 * 60_000);
    await cluster.settle(again());
    expect((await cluster.records()).map(text => text.slice(0, 10))).toEqual([
      '1 supersed',
      '2 failed: ',
      '3 deployed',
    ]);
  });
});
