/** Certificates of X.509 version 3 with ECDSA P-256 and SHA-256, made without a library. */
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import * as der from './der.ts';

export interface CertificateContent {
  readonly serial: Uint8Array;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly publicKey: KeyObject;
  /** The issuer's. Its own if the certificate signs itself. */
  readonly issuerKey: KeyObject;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly usages: readonly CertificateUsage[];
}

/** Kubernetes takes the common name of a client for the user, and organizations for groups. */
export interface DistinguishedName {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export type CertificateUsage = 'server' | 'client';

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** Signs the content and gives the certificate as PEM. */
export function signCertificate(content: CertificateContent): string {
  const algorithm = der.sequence(der.objectIdentifier(OID.ecdsaWithSha256));
  const version3 = der.tagged(0, true, der.integer(Buffer.from([2])));
  const signed = der.sequence(
    version3,
    der.integer(content.serial),
    algorithm,
    distinguishedName(content.issuer),
    der.sequence(der.time(content.notBefore), der.time(content.notAfter)),
    distinguishedName(content.subject),
    content.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, true, der.sequence(...extensions(content))),
  );
  const signature = sign('sha256', signed, content.issuerKey);
  return pem('CERTIFICATE', der.sequence(signed, algorithm, der.bitString(signature)));
}

function distinguishedName({ commonName, organizations = [] }: DistinguishedName): Buffer {
  const part = (type: string, text: string): Buffer =>
    der.set(der.sequence(der.objectIdentifier(type), der.utf8String(text)));
  return der.sequence(...organizations.map(name => part(OID.organization, name)), part(OID.commonName, commonName));
}

function extensions(content: CertificateContent): Buffer[] {
  const { isAuthority, usages, dnsNames, ipAddresses, publicKey, issuerKey } = content;
  const authorityId = keyIdentifier(createPublicKey(issuerKey));
  const all = [
    extension(OID.basicConstraints, true, der.sequence(...(isAuthority ? [der.boolean(true)] : []))),
    extension(OID.keyUsage, true, keyUsage(isAuthority)),
    extension(OID.subjectKeyIdentifier, false, der.octetString(keyIdentifier(publicKey))),
    extension(OID.authorityKeyIdentifier, false, der.sequence(der.tagged(0, false, authorityId))),
  ];
  if (usages.length > 0) {
    const identifiers = usages.map(usage => der.objectIdentifier(OID[usage]));
    all.push(extension(OID.extendedKeyUsage, false, der.sequence(...identifiers)));
  }
  if (dnsNames.length + ipAddresses.length > 0) {
    const names = dnsNames.map(name => der.tagged(2, false, Buffer.from(name)));
    const addresses = ipAddresses.map(address => der.tagged(7, false, addressBytes(address)));
    all.push(extension(OID.subjectAlternativeName, false, der.sequence(...names, ...addresses)));
  }
  return all;
}

function extension(identifier: string, critical: boolean, content: Buffer): Buffer {
  const marked = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(identifier), ...marked, der.octetString(content));
}

/** Authorities sign certificates and revocation lists (bits 5 and 6); others sign what they say (bit 0). */
function keyUsage(isAuthority: boolean): Buffer {
  return isAuthority ? der.bitString(Buffer.from([0b0000_0110]), 1) : der.bitString(Buffer.from([0b1000_0000]), 7);
}

/** RFC 7093, method 1: the first 160 bits of the SHA-256 of the key. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes an IPv6 address in groups of four digits at most, with one `::` for the zeros.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map(part => Number.parseInt(part, 16));
  const [before, after] = [groups(left), groups(right)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...zeros, ...after].flatMap(group => [group >> 8, group & 0xff]));
}

export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
