/** Certificates as Go's `x509.CreateCertificate` writes them. */

import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { GoError } from '../errors.ts';
import {
  bits,
  boolean,
  element,
  explicit,
  implicit,
  integer,
  octets,
  oid,
  readElement,
  sequence,
  set,
  text,
  time,
} from './der.ts';

export interface CertificateRequest {
  readonly commonName: string;
  readonly serial: bigint;
  /** Seconds since the epoch. */
  readonly notBefore: bigint;
  readonly notAfter: bigint;
  readonly isAuthority: boolean;
  readonly addresses: readonly Uint8Array[];
  readonly names: readonly string[];
}

/** Who signs: the new certificate itself, or another one. */
export interface Issuer {
  readonly key: KeyObject;
  /** DER of the issuer's certificate; nothing where a certificate signs itself. */
  readonly certificate?: Uint8Array;
}

function signatureAlgorithm(key: KeyObject): { identifier: Buffer; digest: string | undefined } {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { identifier: sequence(oid('1.2.840.113549.1.1.11'), element(0x05, new Uint8Array())), digest: 'sha256' };
    case 'ec': {
      const curve = key.asymmetricKeyDetails?.namedCurve;
      const size = curve === 'secp384r1' ? 384 : curve === 'secp521r1' ? 512 : 256;
      return {
        identifier: sequence(oid(`1.2.840.10045.4.3.${size === 256 ? 2 : size === 384 ? 3 : 4}`)),
        digest: `sha${size}`,
      };
    }
    case 'ed25519':
      return { identifier: sequence(oid('1.3.101.112')), digest: undefined };
    default:
      throw new GoError('x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}

/** What Go derives the key identifier of an authority from: the bits of its public key. */
function keyIdentifier(publicKey: Buffer): Buffer {
  const spki = readElement(publicKey).content;
  const key = readElement(spki, readElement(spki).end).content.subarray(1);
  return createHash('sha256').update(key).digest().subarray(0, 20);
}

const name = (commonName: string) =>
  commonName === '' ? sequence() : sequence(set(sequence(oid('2.5.4.3'), text(commonName))));

const extension = (identifier: string, critical: boolean, value: Uint8Array) =>
  critical ? sequence(oid(identifier), boolean(true), octets(value)) : sequence(oid(identifier), octets(value));

function alternativeNames(request: CertificateRequest): Buffer {
  const names = request.names.map(dns => implicit(2, Buffer.from(dns, 'latin1')));
  return sequence(...names, ...request.addresses.map(address => implicit(7, address)));
}

/** The parts of an issuer's certificate that go into what it signs: its name and key identifier. */
function issuerParts(der: Uint8Array): { subject: Uint8Array; keyId: Buffer | undefined } {
  const tbs = readElement(readElement(der).content);
  const fields: { tag: number; raw: Uint8Array; content: Uint8Array }[] = [];
  for (let at = 0; at < tbs.content.length; ) {
    const field = readElement(tbs.content, at);
    fields.push({ tag: field.tag, raw: tbs.content.subarray(at, field.end), content: field.content });
    at = field.end;
  }
  const first = fields[0]!.tag === 0xa0 ? 1 : 0;
  const extensions = fields.find(field => field.tag === 0xa3);
  return { subject: fields[first + 4]!.raw, keyId: extensions && subjectKeyId(extensions.content) };
}

function subjectKeyId(extensions: Uint8Array): Buffer | undefined {
  const at = Buffer.from(extensions).indexOf(oid('2.5.29.14'));
  if (at < 0) return undefined;
  const value = readElement(extensions, readElement(extensions, at).end).content;
  return Buffer.from(readElement(value).content);
}

/** The certificate in DER. */
export function createCertificate(request: CertificateRequest, publicKey: KeyObject, issuer: Issuer): Buffer {
  const spki = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  const { identifier, digest } = signatureAlgorithm(issuer.key);
  const subject = name(request.commonName);
  const keyId = request.isAuthority ? keyIdentifier(spki) : undefined;
  const signer = issuer.certificate ? issuerParts(issuer.certificate) : { subject, keyId };
  // digitalSignature and keyEncipherment, and for authorities keyCertSign.
  const usage = request.isAuthority ? bits(Uint8Array.of(0xa4), 2) : bits(Uint8Array.of(0xa0), 5);
  const extensions = [
    extension('2.5.29.15', true, usage),
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))),
    extension('2.5.29.19', true, request.isAuthority ? sequence(boolean(true)) : sequence()),
  ];
  if (keyId) extensions.push(extension('2.5.29.14', false, octets(keyId)));
  // A certificate that signs itself says nothing about another's key.
  if (issuer.certificate && signer.keyId)
    extensions.push(extension('2.5.29.35', false, sequence(implicit(0, signer.keyId))));
  if (request.names.length + request.addresses.length > 0) {
    extensions.push(extension('2.5.29.17', request.commonName === '', alternativeNames(request)));
  }
  const body = sequence(
    explicit(0, integer(2n)),
    integer(request.serial),
    identifier,
    signer.subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    spki,
    explicit(3, sequence(...extensions)),
  );
  return sequence(body, identifier, bits(sign(digest, body, issuer.key)));
}

/** Throws where the bytes are no certificate. */
export function checkCertificate(der: Uint8Array): void {
  new X509Certificate(der);
}
