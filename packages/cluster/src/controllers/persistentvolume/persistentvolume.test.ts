import {
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type StorageClass,
  storageClasses,
} from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { addNode, runPod } from '../../testing/objects.fixture.ts';
import { scheduler } from '../scheduler/index.ts';
import { claimProtectionController } from './claim-protection.ts';
import type { VolumeDirectories } from './directories.ts';
import { persistentVolumeController } from './index.ts';

let bench: Bench;
let made: Set<string>;
let broken: boolean;
const directories: VolumeDirectories = {
  pathOf: volume => `/volumes/${volume}`,
  async create(volume) {
    made.add(volume);
  },
  async remove(volume) {
    if (broken) throw new Error('EBUSY: it is in use');
    made.delete(volume);
  },
};
beforeEach(async () => {
  made = new Set();
  broken = false;
  bench = await startBench([persistentVolumeController({ directories }), claimProtectionController, scheduler]);
  await bench.advance();
});
afterEach(() => bench.stop());

const namespace = 'default';

function claim(name: string, storage: string, spec: NonNullable<PersistentVolumeClaim['spec']> = {}) {
  const requests = { storage };
  return bench.client.create(persistentVolumeClaims, {
    metadata: { namespace, name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests }, ...spec },
  });
}

function volume(name: string, storage: string, spec: NonNullable<PersistentVolume['spec']> = {}, labels = {}) {
  return bench.client.create(persistentVolumes, {
    metadata: { name, labels },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/data' },
      storageClassName: 'manual',
      ...spec,
    },
  });
}

const storageClass = (name: string, rest: Partial<StorageClass>) =>
  bench.client.create(storageClasses, { metadata: { name }, provisioner: 'kubernetes.io/no-provisioner', ...rest });

async function claimState(name: string) {
  await bench.advance();
  const { spec, status } = await bench.client.get(persistentVolumeClaims, { namespace, name });
  return [status?.phase, spec?.volumeName, status?.capacity?.['storage']];
}

const phase = async (name: string) => (await bench.client.get(persistentVolumes, { name })).status?.phase;
const said = async (reason: string) =>
  (await bench.client.list(events)).items.filter(event => event.reason === reason).map(({ message }) => message);

describe('a claim', () => {
  it('takes the smallest volume that has what it asks for', async () => {
    await volume('small', '1Gi');
    await volume('large', '20Gi');
    await volume('right', '10Gi');
    await volume('shared', '5Gi', { accessModes: ['ReadOnlyMany'] });
    await volume('other-class', '5Gi', { storageClassName: 'other' });
    await claim('c', '5Gi', { storageClassName: 'manual' });
    expect(await claimState('c')).toEqual(['Bound', 'right', '10Gi']);
    const { spec, status } = await bench.client.get(persistentVolumes, { name: 'right' });
    expect(spec?.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', namespace, name: 'c' });
    expect(status?.phase).toBe('Bound');
    expect(await phase('large')).toBe('Available');
  });

  it('obeys its selector, and takes the volume that it names or that is kept for it', async () => {
    await volume('plain', '1Gi');
    await volume('labelled', '5Gi', {}, { tier: 'fast' });
    await volume('kept', '9Gi', { claimRef: { namespace, name: 'expected' } });
    await claim('selecting', '1Gi', {
      storageClassName: 'manual',
      selector: { matchLabels: { tier: 'fast' } },
    } as never);
    await claim('naming', '1Gi', { storageClassName: 'manual', volumeName: 'plain' });
    await claim('expected', '1Gi', { storageClassName: 'manual' });
    expect(await claimState('selecting')).toEqual(['Bound', 'labelled', '5Gi']);
    expect(await claimState('naming')).toEqual(['Bound', 'plain', '1Gi']);
    expect(await claimState('expected')).toEqual(['Bound', 'kept', '9Gi']);
  });

  it('waits and says why, until a volume comes', async () => {
    await claim('c', '5Gi', { storageClassName: '' });
    expect((await claimState('c'))[0]).toBe('Pending');
    expect(await said('FailedBinding')).toEqual([
      'no persistent volumes available for this claim and no storage class is set',
    ]);
    await volume('v', '5Gi', { storageClassName: '' });
    expect(await claimState('c')).toEqual(['Bound', 'v', '5Gi']);
  });

  it('without a class gets the default one, and a directory', async () => {
    await claim('c', '2Gi');
    const [, name] = await claimState('c');
    expect(await claimState('c')).toEqual(['Bound', name, '2Gi']);
    const { spec } = await bench.client.get(persistentVolumes, { name: name! });
    expect(spec).toMatchObject({
      storageClassName: 'capstan',
      persistentVolumeReclaimPolicy: 'Delete',
      hostPath: { path: `/volumes/${name}` },
    });
    expect([...made]).toEqual([name]);
  });

  it('grows where its class allows it', async () => {
    await claim('c', '2Gi');
    await claimState('c');
    const merge = { spec: { resources: { requests: { storage: '3Gi' } } } };
    await bench.client.patch(persistentVolumeClaims, { namespace, name: 'c' }, { merge });
    const [bound, name, capacity] = await claimState('c');
    expect([bound, capacity]).toEqual(['Bound', '3Gi']);
    const { spec } = await bench.client.get(persistentVolumes, { name: name! });
    expect(spec?.capacity).toEqual({ storage: '3Gi' });
  });

  it('is lost when its volume is', async () => {
    await volume('v', '5Gi');
    await claim('c', '5Gi', { storageClassName: 'manual' });
    await claimState('c');
    await bench.client.delete(persistentVolumes, { name: 'v' });
    await bench.advance();
    expect((await bench.client.get(persistentVolumes, { name: 'v' })).metadata.deletionTimestamp).toBeDefined();
    await bench.client.patch(persistentVolumes, { name: 'v' }, { merge: { metadata: { finalizers: [] } } });
    expect((await claimState('c'))[0]).toBe('Lost');
  });

  it('is deleted only when no Pod uses it any more', async () => {
    await claim('c', '1Gi');
    await claimState('c');
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    const unused = async () =>
      (await bench.client.get(persistentVolumeClaims, { namespace, name: 'c' })).status?.conditions?.map(
        ({ type, status }) => `${type}=${status}`,
      );
    expect(await unused()).toEqual(['Unused=True']);
    await runPod(bench.client, { name: 'p', spec: { volumes } });
    await bench.advance();
    expect(await unused()).toEqual(['Unused=False']);
    await bench.client.delete(persistentVolumeClaims, { namespace, name: 'c' });
    expect((await claimState('c'))[0]).toBe('Bound');
    await bench.client.delete(pods, { namespace, name: 'p' }, { grace: 0 });
    await bench.advance();
    expect((await bench.client.list(persistentVolumeClaims)).items).toEqual([]);
  });
});

describe('a volume whose claim is gone', () => {
  it('is deleted with its directory, where it was made on demand', async () => {
    await claim('c', '1Gi');
    await claimState('c');
    await bench.client.delete(persistentVolumeClaims, { namespace, name: 'c' });
    await bench.advance();
    expect((await bench.client.list(persistentVolumes)).items).toEqual([]);
    expect(made.size).toBe(0);
  });

  it('stays, and is given to nobody else, where it is to be retained', async () => {
    await volume('v', '5Gi');
    await claim('c', '5Gi', { storageClassName: 'manual' });
    await claimState('c');
    await bench.client.delete(persistentVolumeClaims, { namespace, name: 'c' });
    await bench.advance();
    expect(await phase('v')).toBe('Released');
    await claim('d', '5Gi', { storageClassName: 'manual' });
    expect((await claimState('d'))[0]).toBe('Pending');
    await bench.client.patch(persistentVolumes, { name: 'v' }, { merge: { spec: { claimRef: null } } });
    expect(await claimState('d')).toEqual(['Bound', 'v', '5Gi']);
  });

  it('says that its directory cannot be removed, and goes when it can', async () => {
    await claim('c', '1Gi');
    const [, name] = await claimState('c');
    broken = true;
    await bench.client.delete(persistentVolumeClaims, { namespace, name: 'c' });
    await bench.advance();
    expect((await bench.client.get(persistentVolumes, { name: name! })).status).toMatchObject({
      phase: 'Failed',
      message: 'EBUSY: it is in use',
    });
    broken = false;
    await bench.advance(600_000);
    expect((await bench.client.list(persistentVolumes)).items).toEqual([]);
  });
});

describe('a Pod', () => {
  const using = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
  const pod = (name: string, claimName: string) =>
    bench.client.create(pods, {
      metadata: { namespace, name },
      spec: { containers: [{ name: 'c', image: 'i' }], ...using(claimName) },
    });
  const state = async (name: string) => {
    await bench.advance(20_000);
    const { spec, status } = await bench.client.get(pods, { namespace, name });
    return spec.nodeName ?? status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
  };

  it('waits for its claims', async () => {
    await addNode(bench.client, { name: 'n1' });
    await pod('p', 'c');
    expect(await state('p')).toBe('0/1 nodes are available: persistentvolumeclaim "c" not found.');
    await claim('c', '1Gi', { storageClassName: 'manual' });
    expect(await state('p')).toBe('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.');
    await volume('v', '1Gi');
    expect(await state('p')).toBe('n1');
  });

  it('decides where a volume is, where the class waits for it', async () => {
    for (const name of ['n1', 'n2']) await addNode(bench.client, { name });
    await storageClass('local', { volumeBindingMode: 'WaitForFirstConsumer' });
    const on = (node: string) => ({
      storageClassName: 'local',
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: [node] }] },
          ],
        },
      },
    });
    await volume('v2', '1Gi', on('n2'));
    await claim('c', '1Gi', { storageClassName: 'local' });
    expect((await claimState('c'))[0]).toBe('Pending');
    expect(await said('WaitForFirstConsumer')).toEqual(['waiting for first consumer to be created before binding']);
    await pod('p', 'c');
    expect(await state('p')).toBe('n2');
    expect(await claimState('c')).toEqual(['Bound', 'v2', '1Gi']);
  });
});
