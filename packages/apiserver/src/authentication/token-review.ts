/** `TokenReview`: whose token is this? Other servers ask it about the tokens that they are shown. */
import type { Draft } from '../kind.ts';
import { badRequest } from '../status.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { API_AUDIENCES } from './service-account-claims.ts';

const NOT_A_TOKEN = 'invalid bearer token';

/** The status of the review. */
export function reviewToken({ spec = {} }: Draft, authenticator: TokenAuthenticator): object {
  const token: string = spec.token ?? '';
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const audiences: readonly string[] = spec.audiences?.length ? spec.audiences : API_AUDIENCES;
  const result = authenticator.authenticate(token, audiences);
  switch (result.outcome) {
    case 'unknown':
      return { user: {}, error: NOT_A_TOKEN };
    case 'refused':
      return { user: {}, error: `[${NOT_A_TOKEN}, ${result.why}]` };
    case 'known': {
      const { name, uid, groups, extra } = result.user;
      const user = { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
      return { authenticated: true, user, audiences: result.audiences };
    }
  }
}
