import { createClient, persistentVolumeClaims, storageClasses } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { createApiServer } from './server.ts';

const at = { namespace: 'default', name: 'c' };

async function bound(phase: 'Bound' | 'Pending', allowVolumeExpansion: boolean) {
  const client = createClient({ transport: (await createApiServer()).transport() });
  await client.create(storageClasses, { metadata: { name: 'k' }, provisioner: 'example.io/p', allowVolumeExpansion });
  const requests = { storage: '1Gi' };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests }, storageClassName: 'k' };
  const claim = await client.create(persistentVolumeClaims, { metadata: at, spec });
  await client.updateStatus(persistentVolumeClaims, { ...claim, status: { phase } });
  return (storage: string) =>
    client.patch(persistentVolumeClaims, at, { merge: { spec: { resources: { requests: { storage } } } } });
}

describe('a claim', () => {
  it('grows where its class allows it', async () => {
    const resize = await bound('Bound', true);
    expect((await resize('2Gi')).spec?.resources?.requests).toEqual({ storage: '2Gi' });
  });

  it('does not where its class does not, in the words of Kubernetes', async () => {
    const resize = await bound('Bound', false);
    await expect(resize('2Gi')).rejects.toThrow(
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    expect((await resize('1Gi')).spec?.resources?.requests).toEqual({ storage: '1Gi' });
  });
});
