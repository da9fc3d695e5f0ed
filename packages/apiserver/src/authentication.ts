/** Bearer tokens: kept as hashes, compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerRequest, User } from './request.ts';

export interface TokenUser {
  readonly token: string;
  readonly user: User;
}

/** 256 bits from the operating system, never a fixed one. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export function tokenAuthenticator(
  tokens: readonly TokenUser[],
): (headers: ServerRequest['headers']) => User | undefined {
  const known = tokens.map(({ token, user }) => ({ hash: sha256(token), user }));
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
