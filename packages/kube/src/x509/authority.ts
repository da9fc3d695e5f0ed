/** A certificate authority in a few milliseconds: for the embedded API server, for agents, for tests. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { type Clock, type Random, systemClock, systemRandom } from '../clock.ts';
import { type CertificateUsage, type DistinguishedName, signCertificate } from './certificate.ts';

/** A certificate and its private key, both PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateRequest extends DistinguishedName {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** Default: `server` if it has names or addresses, `client` otherwise. */
  readonly usages?: readonly CertificateUsage[];
  /** Milliseconds. Default: a year, but never longer than the authority itself. */
  readonly validFor?: number;
}

export interface Authority extends CertificateAndKey {
  /** A new key and a certificate for it. */
  issue(request: CertificateRequest): CertificateAndKey;
}

export interface AuthoritySettings {
  readonly clock?: Clock;
  readonly random?: Random;
}

const DAY = 24 * 60 * 60 * 1000;
/** Clocks of machines differ; what was issued a moment ago must not be "not yet valid" to a peer. */
const BACKDATED = 5 * 60 * 1000;

/** Makes a new authority. Its key comes from the operating system's randomness, whatever `random` is. */
export function createAuthority(
  request: DistinguishedName & { readonly validFor?: number },
  settings: AuthoritySettings = {},
): Authority {
  const { clock = systemClock, random = systemRandom } = settings;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = signCertificate({
    serial: serialNumber(random),
    subject: request,
    issuer: request,
    publicKey,
    issuerKey: privateKey,
    notBefore: clock.now() - BACKDATED,
    notAfter: clock.now() + (request.validFor ?? 3650 * DAY),
    isAuthority: true,
    dnsNames: [],
    ipAddresses: [],
    usages: [],
  });
  return authority(request, { certificate, key: keyText(privateKey) }, { clock, random });
}

/** Takes up an authority that `createAuthority` made, from its stored certificate and key. */
export function loadAuthority(stored: CertificateAndKey, settings: AuthoritySettings = {}): Authority {
  const { subject } = new X509Certificate(stored.certificate);
  const values = (name: string): string[] =>
    subject
      .split('\n')
      .filter(line => line.startsWith(`${name}=`))
      .map(line => line.slice(name.length + 1));
  const [commonName = ''] = values('CN');
  return authority({ commonName, organizations: values('O') }, stored, {
    clock: settings.clock ?? systemClock,
    random: settings.random ?? systemRandom,
  });
}

function authority(
  issuer: DistinguishedName,
  own: CertificateAndKey,
  settings: Required<AuthoritySettings>,
): Authority {
  const { clock, random } = settings;
  const issuerKey = createPrivateKey(own.key);
  const lastDay = certificateExpiry(own.certificate);
  return Object.freeze({
    ...own,
    issue(request: CertificateRequest): CertificateAndKey {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { dnsNames = [], ipAddresses = [], validFor = 365 * DAY } = request;
      const certificate = signCertificate({
        serial: serialNumber(random),
        subject: request,
        issuer,
        publicKey,
        issuerKey,
        notBefore: clock.now() - BACKDATED,
        notAfter: Math.min(clock.now() + validFor, lastDay),
        isAuthority: false,
        dnsNames,
        ipAddresses,
        usages: request.usages ?? [dnsNames.length + ipAddresses.length > 0 ? 'server' : 'client'],
      });
      return { certificate, key: keyText(privateKey) };
    },
  });
}

/** When a certificate (the first in the PEM text) ends, in milliseconds since the epoch. */
export function certificateExpiry(certificate: string): number {
  return new X509Certificate(certificate).validToDate.getTime();
}

/** Positive and of 128 bits: the first byte is neither zero nor above 0x7f. */
function serialNumber(random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = (bytes[0]! & 0x7f) | 0x01;
  return bytes;
}

function keyText(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
