import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../clock.ts';
import { certificateExpiry, createAuthority, loadAuthority } from './authority.ts';

const DAY = 24 * 60 * 60 * 1000;
const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

describe('a certificate authority', () => {
  const authority = createAuthority({ commonName: 'capstan-ca' });

  it('signs itself and is an authority', () => {
    const certificate = new X509Certificate(authority.certificate);
    expect(certificate.ca).toBe(true);
    expect(certificate.subject).toBe('CN=capstan-ca');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
  });

  it('issues certificates for servers, with names and addresses', () => {
    const issued = authority.issue({
      commonName: 'capstan',
      dnsNames: ['localhost', 'kubernetes.default.svc'],
      ipAddresses: ['127.0.0.1', '10.0.0.1', '::1', 'fe80::1:2'],
    });
    const certificate = new X509Certificate(issued.certificate);
    const root = new X509Certificate(authority.certificate);
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.checkIssued(root)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
    expect(certificate.checkHost('elsewhere')).toBeUndefined();
    expect(certificate.checkIP('10.0.0.1')).toBe('10.0.0.1');
    expect(certificate.checkIP('fe80::1:2')).toBe('fe80::1:2');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('issues certificates for clients, with groups', () => {
    const issued = authority.issue({ commonName: 'jane', organizations: ['system:masters', 'devs'] });
    const { subject, keyUsage } = new X509Certificate(issued.certificate);
    expect(subject).toBe('O=system:masters\nO=devs\nCN=jane');
    expect(keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  it('goes by the given clock, and lets nothing outlive itself', () => {
    const clock = { ...systemClock, now: () => Date.UTC(2049, 11, 1) };
    const short = createAuthority({ commonName: 'ca', validFor: 100 * DAY }, { clock });
    expect(certificateExpiry(short.certificate)).toBe(Date.UTC(2050, 2, 11));
    expect(certificateExpiry(short.issue({ commonName: 'x', validFor: 7 * DAY }).certificate)).toBe(
      Date.UTC(2049, 11, 8),
    );
    expect(certificateExpiry(short.issue({ commonName: 'x' }).certificate)).toBe(Date.UTC(2050, 2, 11));
  });

  it('takes serial numbers from the given randomness, never negative or zero', () => {
    for (const byte of [0x00, 0xff]) {
      const random = { ...systemRandom, bytes: (count: number) => new Uint8Array(count).fill(byte) };
      const { serialNumber } = new X509Certificate(createAuthority({ commonName: 'ca' }, { random }).certificate);
      expect(serialNumber).toMatch(/^[0-7][0-9A-F]{31}$|^1[0-9A-F]{30}$/);
    }
  });

  it('can be stored and taken up again', () => {
    const named = createAuthority({ commonName: 'ca', organizations: ['Ops = Team'] });
    const { certificate, key } = named;
    const again = loadAuthority({ certificate, key });
    const issued = new X509Certificate(again.issue({ commonName: 'x' }).certificate);
    expect(issued.verify(new X509Certificate(certificate).publicKey)).toBe(true);
    expect(issued.issuer).toBe('O=Ops = Team\nCN=ca');
  });

  it.skipIf(!hasOpenssl)('is accepted by OpenSSL at its strictest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-x509-'));
    try {
      writeFileSync(join(folder, 'ca.pem'), authority.certificate);
      const leaf = authority.issue({ commonName: 'capstan', dnsNames: ['localhost'] });
      writeFileSync(join(folder, 'leaf.pem'), leaf.certificate);
      const options = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost'];
      const said = execFileSync('openssl', [...options, '-CAfile', 'ca.pem', 'leaf.pem'], { cwd: folder });
      expect(said.toString()).toContain('leaf.pem: OK');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
