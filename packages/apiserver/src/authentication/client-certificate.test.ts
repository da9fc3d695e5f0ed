import { createHash, X509Certificate } from 'node:crypto';
import { createAuthority } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { userOfCertificate } from './client-certificate.ts';

const authority = createAuthority({ commonName: 'ca' });
const certificate = (commonName: string, organizations?: readonly string[]) =>
  new X509Certificate(
    authority.issue({ commonName, ...(organizations && { organizations }), usages: ['client'] }).certificate,
  );

describe('a client certificate', () => {
  it('names a user and groups', () => {
    expect(userOfCertificate(certificate('ann', ['system:masters', 'staff']))).toMatchObject({
      name: 'ann',
      groups: ['system:masters', 'staff', 'system:authenticated'],
    });
  });

  it('says which one it was', () => {
    const shown = certificate('ann');
    const { extra } = userOfCertificate(shown)!;
    const hash = createHash('sha256').update(shown.raw).digest('hex');
    expect(extra).toEqual({ 'authentication.kubernetes.io/credential-id': [`X509SHA256=${hash}`] });
  });

  it('cannot smuggle a group into the name', () => {
    expect(userOfCertificate(certificate('ann\nO=system:masters'))?.groups).toEqual(['system:authenticated']);
    expect(userOfCertificate(certificate('ann, O=system:masters'))).toMatchObject({
      name: 'ann, O=system:masters',
      groups: ['system:authenticated'],
    });
  });

  it('without a name speaks for nobody', () => {
    expect(userOfCertificate(certificate(''))).toBeUndefined();
  });
});
