/** Keys and certificates: `genCA`, `genSignedCert` and their kin. */

import { isIPv4, isIPv6 } from 'node:net';
import { GoError } from '../errors.ts';
import { describeValue } from '../fmt/print.ts';
import { work } from '../limits.ts';
import type { KeyKind, System } from '../system.ts';
import { decodeBase64 } from '../text/base64.ts';
import { fromBytes } from '../text/bytes.ts';
import { HOUR, SECOND } from '../time/duration.ts';
import { define, type FuncMap, nameType } from '../value/function.ts';
import type { GoType } from '../value/types.ts';
import { GoObject, GoSlice, type Value } from '../value/values.ts';
import { type CertificateRequest, checkCertificate, createCertificate, type Issuer } from '../x509/certificate.ts';
import { decodePem, encodePem, parsePrivateKey, privateKeyPem } from '../x509/keys.ts';

type KeyObject = ReturnType<System['generateKey']>;

const CERTIFICATE: GoType = { name: 'sprig.certificate', kind: 'struct', named: true };
nameType('certificate', CERTIFICATE);

const pair = (cert: string, key: string) =>
  new GoObject(CERTIFICATE, [
    { name: 'Cert', value: cert },
    { name: 'Key', value: key },
  ]);

/** Prefixes the message of a GoError. */
function explain<T>(what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof Error) throw new GoError(`${what}: ${error.message}`);
    throw error;
  }
}

function addressBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  const [head = '', tail] = address.split('::');
  const groups = (part: string) =>
    part === ''
      ? []
      : part.split(':').flatMap(group => (group.includes('.') ? mapped(group) : [Number.parseInt(group, 16)]));
  const [left, right] = [groups(head), tail === undefined ? [] : groups(tail)];
  const zeros = new Array<number>(8 - left.length - right.length).fill(0);
  return Uint8Array.from([...left, ...zeros, ...right].flatMap(group => [group >> 8, group & 255]));
}

function mapped(dotted: string): number[] {
  const [a, b, c, d] = dotted.split('.').map(Number) as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}

function addresses(values: GoSlice): Uint8Array[] {
  return values.items.map(value => {
    if (typeof value !== 'string') throw new GoError(`error parsing ip: ${describeValue(value)} is not a string`);
    if (!isIPv4(value) && !(isIPv6(value) && !value.includes('%'))) throw new GoError(`error parsing ip: ${value}`);
    return addressBytes(value);
  });
}

function dnsNames(values: GoSlice): string[] {
  return values.items.map(value => {
    if (typeof value === 'string') return value;
    throw new GoError(`error processing alternate dns name: ${describeValue(value)} is not a string`);
  });
}

const noAddresses = new GoSlice([]);

/** What the search for primes takes, measured against a step: a template gets a few dozen keys, not thousands. */
const keySteps: Record<KeyKind, number> = {
  'rsa-2048': 200_000,
  'rsa-4096': 2_000_000,
  dsa: 2_000_000,
  'ec-p256': 1_000,
  ed25519: 1_000,
};

export function certificateFunctions(system: System): FuncMap {
  const request = (
    commonName: string,
    ips: GoSlice,
    names: GoSlice,
    days: number,
    isAuthority: boolean,
  ): CertificateRequest => {
    const now = system.now();
    return {
      commonName,
      addresses: addresses(ips),
      names: dnsNames(names),
      serial: BigInt(`0x${Buffer.from(system.random(16)).toString('hex')}`),
      notBefore: now / SECOND,
      notAfter: (now + BigInt(days) * 24n * HOUR) / SECOND,
      isAuthority,
    };
  };
  const issue = (wanted: CertificateRequest, key: KeyObject, issuer: Issuer): Value => {
    const der = explain('error creating certificate', () => createCertificate(wanted, key, issuer));
    return pair(encodePem('CERTIFICATE', der), privateKeyPem(key));
  };
  const generate = (kind: KeyKind) => {
    work(keySteps[kind]);
    return system.generateKey(kind);
  };
  const newKey = () => generate('rsa-2048');
  const givenKey = (pem: string) => explain('parsing private key', () => parsePrivateKey(pem));
  const authority = (name: string, days: number, key: () => KeyObject) => {
    const own = key();
    return issue(request(name, noAddresses, noAddresses, days, true), own, { key: own });
  };
  const selfSigned = (name: string, ips: GoSlice, names: GoSlice, days: number, key: () => KeyObject) => {
    const own = key();
    return issue(request(name, ips, names, days, false), own, { key: own });
  };
  const signed = (name: string, ips: GoSlice, names: GoSlice, days: number, ca: GoObject, key: () => KeyObject) => {
    const own = key();
    const block = decodePem(ca.field('Cert')!.value as string);
    if (!block) throw new GoError('unable to decode certificate');
    explain('error parsing certificate: decodedSignerCert.Bytes', () => checkCertificate(block.der));
    const signer = explain('error parsing private key', () => parsePrivateKey(ca.field('Key')!.value as string));
    return issue(request(name, ips, names, days, false), own, { key: signer, certificate: block.der });
  };

  return {
    genPrivateKey: define('string', type => {
      const kinds: Record<string, KeyKind> = {
        '': 'rsa-4096',
        rsa: 'rsa-4096',
        dsa: 'dsa',
        ecdsa: 'ec-p256',
        ed25519: 'ed25519',
      };
      return Object.hasOwn(kinds, type) ? privateKeyPem(generate(kinds[type]!)) : `Unknown type ${type}`;
    }),
    genCA: define('string, int', (name, days) => authority(name, days, newKey)),
    genCAWithKey: define('string, int, string', (name, days, key) => authority(name, days, () => givenKey(key))),
    genSelfSignedCert: define('string, list, list, int', (name, ips, names, days) =>
      selfSigned(name, ips, names, days, newKey),
    ),
    genSelfSignedCertWithKey: define('string, list, list, int, string', (name, ips, names, days, key) =>
      selfSigned(name, ips, names, days, () => givenKey(key)),
    ),
    genSignedCert: define('string, list, list, int, certificate', (name, ips, names, days, ca) =>
      signed(name, ips, names, days, ca, newKey),
    ),
    genSignedCertWithKey: define('string, list, list, int, certificate, string', (name, ips, names, days, ca, key) =>
      signed(name, ips, names, days, ca, () => givenKey(key)),
    ),
    buildCustomCert: define('string, string', buildCustomCert),
  };
}

function decodeOr(message: string, text: string): string {
  try {
    return fromBytes(decodeBase64(text));
  } catch {
    throw new GoError(message);
  }
}

function buildCustomCert(certificate: string, key: string): Value {
  const cert = decodeOr('unable to decode base64 certificate', certificate);
  const privateKey = decodeOr('unable to decode base64 private key', key);
  const block = decodePem(cert);
  if (!block) throw new GoError('unable to decode certificate');
  explain('error parsing certificate: decodedCert.Bytes', () => checkCertificate(block.der));
  explain('error parsing private key', () => parsePrivateKey(privateKey));
  return pair(cert, privateKey);
}
