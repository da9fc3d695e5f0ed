/** Whose token this is. */
import type { ServerRequest, User } from '../request.ts';
import { bearerToken } from './bearer.ts';

export type TokenResult =
  | { readonly outcome: 'known'; readonly user: User; readonly audiences: readonly string[] }
  /** None of these; another authenticator may know it. */
  | { readonly outcome: 'unknown' }
  /** One of these, but not good: expired, revoked, for someone else. */
  | { readonly outcome: 'refused'; readonly why: string };

export interface TokenAuthenticator {
  /** `audiences`: who the token has to be meant for, one of them at least. */
  authenticate(token: string, audiences: readonly string[]): TokenResult;
}

/** Asks one after the other; the first that knows the token decides. */
export function firstOf(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    authenticate(token, audiences) {
      let last: TokenResult = { outcome: 'unknown' };
      for (const one of authenticators) {
        const result = one.authenticate(token, audiences);
        if (result.outcome === 'known') return { ...result, user: authenticated(result.user) };
        if (result.outcome === 'refused') last = result;
      }
      return last;
    },
  };
}

const AUTHENTICATED = 'system:authenticated';

/** Everyone who is known at all is in this group. */
function authenticated(user: User): User {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

/**
 * Who sends a request, from its headers alone. Undefined is answered with 401, on every path: there is no anonymous user, as in
 * Kubernetes with `--anonymous-auth=false`.
 */
export function requestAuthenticator(
  authenticator: TokenAuthenticator,
  audiences: readonly string[],
): (headers: ServerRequest['headers']) => User | undefined {
  return headers => {
    const token = bearerToken(headers);
    if (token === undefined) return undefined;
    const result = authenticator.authenticate(token, audiences);
    return result.outcome === 'known' ? result.user : undefined;
  };
}
