/** Passwords and encryption: `bcrypt`, `htpasswd`, `derivePassword`, `encryptAES`. */

import { createCipheriv, createDecipheriv, createHmac, scryptSync } from 'node:crypto';
import { encodeBase64, hashSync } from 'bcryptjs';
import { GoError } from '../errors.ts';
import type { System } from '../system.ts';
import { decodeBase64 } from '../text/base64.ts';
import { fromBytes, toBytes } from '../text/bytes.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';

const bcryptCost = 10;
/** Made to be slow, about 70 and 150 milliseconds: each call takes its share of the steps. */
const bcryptSteps = 150_000;
const scryptSteps = 300_000;

function bcrypt(system: System, password: string): string {
  if (toBytes(password).length > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  }
  const salt = `$2a$${bcryptCost}$${encodeBase64(Array.from(system.random(16)) as unknown as Uint8Array, 16)}`;
  return hashSync(password, salt);
}

/** The templates and characters of the Master Password algorithm. */
const templates: Record<string, readonly string[]> = {
  maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
  long: [
    'CvcvnoCvcvCvcv',
    'CvcvCvcvnoCvcv',
    'CvcvCvcvCvcvno',
    'CvccnoCvcvCvcv',
    'CvccCvcvnoCvcv',
    'CvccCvcvCvcvno',
    'CvcvnoCvccCvcv',
    'CvcvCvccnoCvcv',
    'CvcvCvccCvcvno',
    'CvcvnoCvcvCvcc',
    'CvcvCvcvnoCvcc',
    'CvcvCvcvCvccno',
    'CvccnoCvccCvcv',
    'CvccCvccnoCvcv',
    'CvccCvccCvcvno',
    'CvcvnoCvccCvcc',
    'CvcvCvccnoCvcc',
    'CvcvCvccCvccno',
    'CvccnoCvcvCvcc',
    'CvccCvcvnoCvcc',
    'CvccCvcvCvccno',
  ],
  medium: ['CvcnoCvc', 'CvcCvcno'],
  short: ['Cvcn'],
  basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
  pin: ['nnnn'],
};

const characters: Record<string, string> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

const masterSeed = Buffer.from('com.lyndir.masterpassword');

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function derivePassword(counter: number, type: string, password: string, user: string, site: string): string {
  const choices = Object.hasOwn(templates, type) ? templates[type]! : undefined;
  if (!choices) return `cannot find password template ${type}`;
  const [userBytes, siteBytes] = [toBytes(user), toBytes(site)];
  const salt = Buffer.concat([masterSeed, uint32(userBytes.length), userBytes]);
  const key = scryptSync(toBytes(password), salt, 64, { N: 32768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 });
  const message = Buffer.concat([masterSeed, uint32(siteBytes.length), siteBytes, uint32(counter)]);
  const seed = createHmac('sha256', key).update(message).digest();
  const template = choices[seed[0]! % choices.length]!;
  return [...template]
    .map((letter, index) => characters[letter]![seed[index + 1]! % characters[letter]!.length])
    .join('');
}

const blockSize = 16;

/** The password itself is the key, cut or padded with zeros to 32 bytes. */
function aesKey(password: string): Buffer {
  const key = Buffer.alloc(32);
  key.set(toBytes(password).subarray(0, 32));
  return key;
}

function encrypt(system: System, password: string, plaintext: string): string {
  if (plaintext === '') return '';
  const iv = system.random(blockSize);
  const cipher = createCipheriv('aes-256-cbc', aesKey(password), iv);
  return Buffer.concat([iv, cipher.update(toBytes(plaintext)), cipher.final()]).toString('base64');
}

function decrypt(password: string, encrypted: string): string {
  if (encrypted === '') return '';
  const bytes = decodeBase64(encrypted);
  if (bytes.length < blockSize) {
    throw new GoError(`runtime error: slice bounds out of range [:${blockSize}] with capacity ${bytes.length}`);
  }
  const body = bytes.subarray(blockSize);
  if (body.length % blockSize !== 0) throw new GoError('crypto/cipher: input not full blocks');
  if (body.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const decipher = createDecipheriv('aes-256-cbc', aesKey(password), bytes.subarray(0, blockSize)).setAutoPadding(
    false,
  );
  const plain = Buffer.concat([decipher.update(body), decipher.final()]);
  const end = plain.length - plain.at(-1)!;
  if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`);
  return fromBytes(plain.subarray(0, end));
}

export function passwordFunctions(system: System): FuncMap {
  return {
    bcrypt: defineWith('string', (execution, password) => {
      execution.budget.work(bcryptSteps);
      return bcrypt(system, password);
    }),
    htpasswd: defineWith('string, string', (execution, user, password) => {
      execution.budget.work(bcryptSteps);
      return user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(system, password)}`;
    }),
    derivePassword: defineWith('uint32, string, string, string, string', (execution, ...args) => {
      execution.budget.work(scryptSteps);
      return derivePassword(...args);
    }),
    encryptAES: define('string, string', (password, plaintext) => encrypt(system, password, plaintext)),
    decryptAES: define('string, string', decrypt),
  };
}
