/** Bearer tokens that are known beforehand: kept as hashes, compared in constant time. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerRequest, User } from '../request.ts';
import { firstOf, requestAuthenticator, type TokenAuthenticator } from './authenticator.ts';
import { API_AUDIENCES } from './service-account-claims.ts';

export interface TokenUser {
  /** Of the token, as `hashToken` gives it: the token itself is the client's. */
  readonly hash: string;
  readonly user: User;
}

/** 256 bits from the operating system, never a fixed one. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A token is random enough that a plain hash cannot be turned back. */
export const hashToken = (token: string): string => sha256(token).toString('hex');

/** They are good for the API server and for nobody else. */
export function staticTokens(users: readonly TokenUser[]): TokenAuthenticator {
  const known = users.map(({ hash, user }) => ({ hash: Buffer.from(hash, 'hex'), user }));
  return {
    authenticate(token, wanted) {
      const hash = sha256(token);
      let found: User | undefined;
      for (const one of known) if (one.hash.length === hash.length && timingSafeEqual(one.hash, hash)) found = one.user;
      const audiences = API_AUDIENCES.filter(audience => wanted.includes(audience));
      if (found === undefined || audiences.length === 0) return { outcome: 'unknown' };
      return { outcome: 'known', user: found, audiences };
    },
  };
}

/** Who sends a request, where these tokens are all there are. */
export function tokenAuthenticator(
  users: readonly TokenUser[],
): (headers: ServerRequest['headers']) => User | undefined {
  return requestAuthenticator(firstOf([staticTokens(users)]), API_AUDIENCES);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
