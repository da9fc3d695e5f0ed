/** Who one is and what one may, as one server has it: its tokens, its policy, and what keeps both current. */
import type { Clock, Random } from '@capstan/kube';
import {
  API_AUDIENCES,
  firstOf,
  requestAuthenticator,
  ServiceAccountTokens,
  staticTokens,
  type TokenAuthenticator,
  type TokenUser,
} from './authentication/index.ts';
import {
  AggregatedRoles,
  type Authorizer,
  alwaysAllow,
  attributesOf,
  authorizeImpersonation,
  bootstrapPolicy,
  forbiddenRequest,
  onlyMasters,
  RoleAuthorizer,
  withCreateRight,
  withoutEscalation,
} from './authorization/index.ts';
import type { ServerRequest, Target, User } from './request.ts';
import type { Store } from './store/store.ts';
import type { Admission } from './write/context.ts';

export interface AccessOptions {
  /**
   * `rbac`: Roles and bindings decide, and a new store gets those that every cluster has. `always`, which is the default: whoever
   * can speak to this server may do everything, for tests and for programs that are their own only user.
   */
  readonly authorize?: 'rbac' | 'always';
  /** Users that are known by a token of their own. */
  readonly tokens?: readonly TokenUser[] | undefined;
  /**
   * Signs the tokens of service accounts: an EC key on P-256 (PEM, PKCS #8; `newServiceAccountKey` makes one). Without it those
   * tokens end with the process.
   */
  readonly serviceAccountKey?: string | undefined;
}

export interface Access {
  readonly authorizer: Authorizer;
  readonly authenticator: TokenAuthenticator;
  readonly serviceAccounts: ServiceAccountTokens;
  /** Who sends a request; undefined: nobody we know. */
  readonly authenticate: (headers: ServerRequest['headers']) => User | undefined;
  /** Throws 403 where the request, or whom it is made as, is not allowed. `request.user` is who acts, `sender` who sends. */
  check(request: ServerRequest, target: Target | undefined, sender: User): void;
  /** What a write must pass in addition. */
  guard(admission: Admission): Admission;
  /** Writes the default roles and bindings that are missing. */
  bootstrap(clock: Clock, random: Random): Promise<void>;
  stop(): void;
}

export function openAccess(
  store: Store,
  clock: Clock,
  options: AccessOptions,
  onError: (error: unknown) => void,
): Access {
  const serviceAccounts = new ServiceAccountTokens(options.serviceAccountKey, store, clock);
  const authenticator = firstOf([staticTokens(options.tokens ?? []), serviceAccounts]);
  const identity = {
    authenticator,
    serviceAccounts,
    authenticate: requestAuthenticator(authenticator, API_AUDIENCES),
  };
  if (options.authorize !== 'rbac') {
    return {
      ...identity,
      authorizer: alwaysAllow,
      // Even here, acting as someone else is for administrators: nobody does it by accident.
      check(request, target, sender) {
        if (!request.impersonate) return;
        authorizeImpersonation(onlyMasters, sender, request.impersonate, attributesOf(request, target));
      },
      guard: admission => admission,
      bootstrap: async () => {},
      stop: () => {},
    };
  }
  const authorizer = new RoleAuthorizer(store);
  const roles = new AggregatedRoles(store, onError);
  return {
    ...identity,
    authorizer,
    check(request, target, sender) {
      const attributes = attributesOf(request, target);
      if (request.impersonate) authorizeImpersonation(authorizer, sender, request.impersonate, attributes);
      const { allowed, reason } = authorizer.authorize(request.user, attributes);
      if (!allowed) throw forbiddenRequest(request.user, attributes, reason);
    },
    guard: admission => withoutEscalation(withCreateRight(admission, authorizer), authorizer),
    bootstrap: (now, random) => bootstrapPolicy(store, now, random),
    stop() {
      authorizer.stop();
      roles.stop();
    },
  };
}
