/** Bearer tokens: kept as hashes, compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerRequest, User } from './request.ts';

export interface TokenUser {
  /** Of the token, as `hashToken` gives it: the token itself is the client's. */
  readonly hash: string;
  readonly user: User;
}

/** 256 bits from the operating system, never a fixed one. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A token is random enough that a plain hash cannot be turned back. */
export const hashToken = (token: string): string => sha256(token).toString('hex');

export function tokenAuthenticator(
  users: readonly TokenUser[],
): (headers: ServerRequest['headers']) => User | undefined {
  const known = users.map(({ hash, user }) => ({ hash: Buffer.from(hash, 'hex'), user }));
  return headers => {
    const given = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    if (given === undefined) return undefined;
    const hash = sha256(given);
    let found: User | undefined;
    for (const one of known) if (timingSafeEqual(one.hash, hash)) found = one.user;
    return found;
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
