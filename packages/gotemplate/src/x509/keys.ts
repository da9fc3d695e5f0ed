/** Private keys in PEM, by the names and forms Go's sprig uses. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { GoError } from '../errors.ts';
import { integer, readElement, sequence } from './der.ts';

/** The first PEM block of a text. */
export function decodePem(text: string): { type: string; der: Buffer } | undefined {
  const begin = '-----BEGIN ';
  let end = -1;
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    // The next end serves every start before it: a text of nothing but starts is walked once.
    if (end < at) end = text.indexOf('-----END ', at);
    if (end < 0) return undefined;
    const line = text.slice(at + begin.length, Math.min(end, at + 256));
    const type = /^([^\n-]*)-----[ \t\r]*\n/.exec(line);
    if (!type || !text.startsWith(`-----END ${type[1]}-----`, end)) continue;
    const body = text.slice(at + begin.length + type[0].length, end).replace(/^(?:[^\n:]+:[^\n]*\n)+\n/, '');
    return { type: type[1]!, der: Buffer.from(body.replace(/\s/g, ''), 'base64') };
  }
  return undefined;
}

export function encodePem(type: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}

/** RSA as PKCS#1, EC as SEC 1, DSA in OpenSSL's form, everything else as PKCS#8. */
export function privateKeyPem(key: KeyObject): string {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return encodePem('RSA PRIVATE KEY', key.export({ type: 'pkcs1', format: 'der' }));
    case 'ec':
      return encodePem('EC PRIVATE KEY', key.export({ type: 'sec1', format: 'der' }));
    case 'dsa':
      return encodePem('DSA PRIVATE KEY', dsaPrivateKey(key));
    default:
      return encodePem('PRIVATE KEY', key.export({ type: 'pkcs8', format: 'der' }));
  }
}

/** Version, p, q, g, y, x: the parameters and keys are in PKCS#8 and SPKI. */
function dsaPrivateKey(key: KeyObject): Buffer {
  const pkcs8 = readElement(key.export({ type: 'pkcs8', format: 'der' })).content;
  const version = readElement(pkcs8);
  const algorithm = readElement(pkcs8, version.end);
  const x = readElement(pkcs8, algorithm.end).content;
  const identifier = readElement(algorithm.content);
  const parameters = readElement(algorithm.content, identifier.end).content;
  const spki = readElement(createPublicKey(key).export({ type: 'spki', format: 'der' })).content;
  const y = readElement(spki, readElement(spki).end).content.subarray(1);
  return sequence(integer(0n), parameters, y, x);
}

/** Reads a private key as sprig does, with its words for what is wrong. */
export function parsePrivateKey(pem: string): KeyObject {
  const block = decodePem(pem);
  if (!block) throw new GoError('no PEM data in input');
  if (block.type === 'PRIVATE KEY') {
    return read('decoding PEM as PKCS#8', () => createPrivateKey({ key: block.der, format: 'der', type: 'pkcs8' }));
  }
  if (!block.type.endsWith(' PRIVATE KEY')) throw new GoError(`no private key data in PEM block of type ${block.type}`);
  switch (block.type) {
    case 'RSA PRIVATE KEY':
      return read('parsing RSA private key from PEM', () =>
        createPrivateKey({ key: block.der, format: 'der', type: 'pkcs1' }),
      );
    case 'EC PRIVATE KEY':
      return read('parsing EC private key from PEM', () =>
        createPrivateKey({ key: block.der, format: 'der', type: 'sec1' }),
      );
    case 'DSA PRIVATE KEY':
      return read('parsing DSA private key from PEM', () => createPrivateKey(pem));
    default:
      throw new GoError(`invalid private key type ${block.type}`);
  }
}

function read(what: string, parse: () => KeyObject): KeyObject {
  try {
    return parse();
  } catch (error) {
    throw new GoError(`${what}: ${error instanceof Error ? error.message : error}`);
  }
}
