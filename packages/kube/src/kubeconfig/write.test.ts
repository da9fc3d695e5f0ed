import { KubeConfig as OfficialKubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../x509/authority.ts';
import { resolveContext } from './context.ts';
import { readMaterial } from './material.ts';
import { parseKubeconfig } from './parse.ts';
import { kubeconfigText } from './write.ts';

describe('writing a kubeconfig', () => {
  const authority = createAuthority({ commonName: 'ca' });
  const place = { name: 'capstan', server: 'https://127.0.0.1:6443', authority: authority.certificate };

  it('is read back as it was meant, by us and by the official client', async () => {
    const text = await kubeconfigText({ ...place, credential: { token: '0123' }, namespace: 'team' });
    const context = resolveContext(await parseKubeconfig(text));
    expect(context).toMatchObject({ name: 'capstan', namespace: 'team', user: { token: '0123' } });
    expect(await readMaterial(context.cluster.authority!, 'x')).toBe(authority.certificate);
    const official = new OfficialKubeConfig();
    official.loadFromString(text);
    expect(official.getCurrentUser()?.token).toBe('0123');
    expect(official.getCurrentCluster()?.server).toBe(place.server);
  });

  it('holds client certificates', async () => {
    const credential = authority.issue({ commonName: 'jane' });
    const { user } = resolveContext(await parseKubeconfig(await kubeconfigText({ ...place, credential })));
    expect(await readMaterial(user.certificate!, 'x')).toBe(credential.certificate);
    expect(await readMaterial(user.key!, 'x')).toBe(credential.key);
  });
});
