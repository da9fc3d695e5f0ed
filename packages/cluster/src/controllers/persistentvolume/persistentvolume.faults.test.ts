import { persistentVolumeClaims, persistentVolumes } from '@capstan/kube';
import { explore, type Scenario } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { otherFaults, program } from '../../testing/faults.fixture.ts';
import { claimProtectionController } from './claim-protection.ts';
import type { VolumeDirectories } from './directories.ts';
import { persistentVolumeController } from './index.ts';

const namespace = 'default';
const directories: VolumeDirectories = {
  pathOf: volume => `/volumes/${volume}`,
  create: async () => {},
  remove: async () => {},
};

const scenario: Scenario = {
  name: 'claims are bound, grow and go',
  deadline: 120_000,
  async arrange(client) {
    for (const name of ['v1', 'v2']) {
      await client.create(persistentVolumes, {
        metadata: { name },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/data' },
          storageClassName: 'manual',
        },
      });
    }
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (const name of ['static', 'static-too']) {
      const metadata = { namespace, name };
      await client.create(persistentVolumeClaims, { metadata, spec: { ...spec, storageClassName: 'manual' } });
    }
    for (const name of ['made', 'short-lived']) {
      await client.create(persistentVolumeClaims, { metadata: { namespace, name }, spec });
    }
  },
  start: program(persistentVolumeController({ directories }), claimProtectionController),
  async act(client) {
    const merge = { spec: { resources: { requests: { storage: '2Gi' } } } };
    await client.patch(persistentVolumeClaims, { namespace, name: 'made' }, { merge });
    await client.delete(persistentVolumeClaims, { namespace, name: 'short-lived' });
    await client.delete(persistentVolumeClaims, { namespace, name: 'static-too' });
  },
  always({ type, table, object }) {
    if (table !== '/persistentvolumes' || type !== 'MODIFIED') return undefined;
    const { claimRef } = object.spec;
    return object.status?.phase === 'Bound' && !claimRef?.uid ? 'a volume is bound to nobody' : undefined;
  },
  async observe(client) {
    const claims = (await client.list(persistentVolumeClaims)).items;
    const volumes = (await client.list(persistentVolumes)).items;
    // Which of two equal volumes a claim gets is nobody's promise; that it is one of them, and only one, is.
    const taken = claims.map(({ spec }) => spec?.volumeName);
    return {
      claims: claims.map(({ metadata, status }) => [metadata.name, status?.phase, status?.capacity?.['storage']]),
      volumes: volumes.map(({ spec, status }) => [spec?.storageClassName, status?.phase, spec?.claimRef?.name]).sort(),
      distinct: new Set(taken).size === claims.length,
    };
  },
};

describe('the binder', () => {
  it('binds each claim once and loses no volume, whenever it is killed or disturbed', { timeout: 60_000 }, async () => {
    const { failures, writes } = await explore(scenario, {
      depth: 'singles',
      also: otherFaults(18, '/persistentvolumes'),
    });
    expect(failures).toEqual([]);
    expect(writes).toBeGreaterThan(20);
  });
});
