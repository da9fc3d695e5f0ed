/** JSON Web Tokens of one form only: compact, signed with ES256. Whatever else calls itself a token is none. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface Signer {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Names the key without telling it: the hash of the public one. */
  readonly keyId: string;
}

export function signerOf(privateKey: KeyObject): Signer {
  if (privateKey.asymmetricKeyType !== 'ec' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('service account tokens are signed with an EC key on the curve P-256');
  }
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, keyId: createHash('sha256').update(der).digest('base64url') };
}

export function signToken({ privateKey, keyId }: Signer, claims: object): string {
  const content = `${encode({ alg: 'ES256', kid: keyId })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Fields = Readonly<Record<string, unknown>>;

/** What a token says of itself. Nothing of it is true before the signature is. */
export interface UnverifiedToken {
  readonly header: Fields;
  readonly claims: Fields;
  readonly content: string;
  readonly signature: Buffer;
}

/** Undefined when the text is no token at all. */
export function readToken(text: string): UnverifiedToken | undefined {
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every(part => /^[\w-]+$/.test(part))) return undefined;
  const header = decode(parts[0]!);
  const claims = decode(parts[1]!);
  if (!header || !claims) return undefined;
  const signature = Buffer.from(parts[2]!, 'base64url');
  // One token has one text: spare bits at the end of a signature would give it several.
  if (signature.toString('base64url') !== parts[2]) return undefined;
  return { header, claims, content: `${parts[0]}.${parts[1]}`, signature };
}

function decode(part: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** ES256: two numbers of 32 bytes. */
const SIGNATURE_LENGTH = 64;

/** The header does not choose the algorithm, the key does. */
export function isSignedBy({ publicKey, keyId }: Signer, token: UnverifiedToken): boolean {
  const { alg, kid = keyId } = token.header;
  if (alg !== 'ES256' || kid !== keyId || token.signature.length !== SIGNATURE_LENGTH) return false;
  return verify('sha256', Buffer.from(token.content), { key: publicKey, dsaEncoding: 'ieee-p1363' }, token.signature);
}
