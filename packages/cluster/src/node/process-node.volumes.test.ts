import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  configMaps,
  events,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  serviceAccounts,
} from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestNode, type TestNode } from './node.fixture.ts';

let test: TestNode;
beforeEach(async () => {
  test = await createTestNode();
});
afterEach(() => test.end());

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
const _isRunning = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;
const waitsFor =
  (reason: string) =>
  ({ status }: Pod): boolean =>
    status?.containerStatuses?.[0]?.state?.waiting?.reason === reason;
const app = (more: object = {}) => ({ name: 'app', image: 'none', command: ['app'], ...more });

/** A claim that the binder has bound to a volume. */
async function boundClaim(name: string, volume: { name: string; annotations: Record<string, string>; path: string }) {
  const accessModes = ['ReadWriteOnce'];
  const { path, ...metadata } = volume;
  const spec = { capacity: { storage: '1Gi' }, accessModes, hostPath: { path } };
  await test.client.create(persistentVolumes, { metadata, spec });
  const resources = { requests: { storage: '1Gi' } };
  const claim = { name, namespace: 'default' };
  await test.client.create(persistentVolumeClaims, {
    metadata: claim,
    spec: { accessModes, resources, volumeName: volume.name },
  });
  const status = { phase: 'Bound' as const };
  await test.client.applyStatus(persistentVolumeClaims, { ...claim, status }, { owner: 'binder' });
}

describe('volumes', () => {
  it('a Pod waits for what its volumes are made of, and says so', async () => {
    const volumes = [{ name: 'conf', configMap: { name: 'settings' } }];
    await test.run('a', { volumes, containers: [app({ volumeMounts: [{ name: 'conf', mountPath: '/etc/conf' }] })] });
    await test.until('a', waitsFor('ContainerCreating'));
    expect(await test.reasons()).toContain('FailedMount');
    await test.client.create(configMaps, { metadata: { name: 'settings', namespace: 'default' }, data: { a: '1' } });
    const { launch } = await test.process('app');
    expect(launch.root?.mounts).toMatchObject([{ target: '/etc/conf', readOnly: false }]);
  });

  it('a claim is the directory of the volume that it is bound to, once it is bound', async () => {
    const path = mkdtempSync(join(tmpdir(), 'capstan-claim-'));
    const accessModes = ['ReadWriteOnce'];
    const resources = { requests: { storage: '1Gi' } };
    const metadata = { name: 'data', namespace: 'default' };
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    await test.run('a', {
      volumes,
      containers: [app({ volumeMounts: [{ name: 'v', mountPath: '/data', subPath: 'part' }] })],
    });
    await test.client.create(persistentVolumes, {
      metadata: { name: 'pv' },
      spec: { capacity: { storage: '1Gi' }, accessModes, hostPath: { path } },
    });
    await test.client.create(persistentVolumeClaims, { metadata, spec: { accessModes, resources, volumeName: 'pv' } });
    await test.until('a', waitsFor('ContainerCreating'));
    expect(test.machine.processes).toEqual([]);
    await test.client.applyStatus(
      persistentVolumeClaims,
      { ...metadata, status: { phase: 'Bound' } },
      { owner: 'binder' },
    );
    const { launch } = await test.process('app');
    expect(launch.root?.mounts).toEqual([{ source: join(path, 'part'), target: '/data', readOnly: false }]);
    rmSync(path, { recursive: true });
  });

  it('a claim whose directory is missing here is waited for, in no other data folder; once it is copied it is used', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'capstan-original-'));
    mkdirSync(join(elsewhere, 'pvc-1'));
    await boundClaim('data', {
      name: 'pvc-1',
      annotations: { 'pv.kubernetes.io/provisioned-by': 'capstan.io/directory' },
      path: join(elsewhere, 'pvc-1'),
    });
    await test.run('a', {
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
      containers: [app({ volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
    });
    await test.until('a', waitsFor('ContainerCreating'));
    const own = join(test.volumesFolder, 'pvc-1');
    const { items } = await test.client.list(events, { namespace: 'default' });
    const message = items.find(({ reason }) => reason === 'FailedMount')?.message;
    for (const word of ['"pvc-1"', own, join(elsewhere, 'pvc-1'), 'copy']) expect(message).toContain(word);
    expect(test.machine.processes).toEqual([]);
    cpSync(elsewhere, test.volumesFolder, { recursive: true });
    await test.clock.advance(2000);
    const { launch } = await test.process('app');
    expect(launch.root?.mounts).toEqual([{ source: own, target: '/data', readOnly: false }]);
    rmSync(elsewhere, { recursive: true });
  });

  it('a hostPath of a Pod is the path that it says, made where it asks for that', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'capstan-host-path-')), 'made');
    await test.run('a', {
      volumes: [{ name: 'v', hostPath: { path, type: 'DirectoryOrCreate' } }],
      containers: [app({ volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
    });
    const { launch } = await test.process('app');
    expect(launch.root?.mounts).toEqual([{ source: path, target: '/data', readOnly: false }]);
    expect(existsSync(path)).toBe(true);
    rmSync(join(path, '..'), { recursive: true });
  });

  it('a projected token is asked for in the name of the Pod', async () => {
    await test.client.create(serviceAccounts, { metadata: { name: 'robot', namespace: 'default' } });
    const volumes = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }];
    await test.run('a', {
      serviceAccountName: 'robot',
      volumes,
      containers: [app({ volumeMounts: [{ name: 't', mountPath: '/var/run/secrets/x' }] })],
    });
    await test.until('a', isReady);
  });
});
