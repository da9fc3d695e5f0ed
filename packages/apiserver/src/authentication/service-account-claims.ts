/** What a service account token claims, and when a claim is no longer true. Pure. */
import type { Stored } from '../kind.ts';
import type { User } from '../request.ts';
import { serviceAccountGroups, serviceAccountUserName } from '../service-account-name.ts';

/** Who signs the tokens and, where a request names nobody else, who they are for. */
export const ISSUER = 'https://kubernetes.default.svc';
export const API_AUDIENCES: readonly string[] = [ISSUER];

export interface ObjectClaim {
  readonly name: string;
  readonly uid?: string;
}

/** The fields stand in the order in which Kubernetes writes them. Times are seconds since 1970. */
export interface ServiceAccountClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: ObjectClaim;
    readonly pod?: ObjectClaim;
    readonly secret?: ObjectClaim;
    readonly serviceaccount: ObjectClaim;
    readonly warnafter?: number;
  };
  readonly nbf: number;
  readonly sub: string;
}

/** What a token is bound to: it ends with it. A Pod brings its node along, which binds nothing. */
export type BoundObject =
  | { readonly kind: 'Pod'; readonly object: Stored; readonly node?: ObjectClaim | undefined }
  | { readonly kind: 'Secret' | 'Node'; readonly object: Stored };

export interface Lifetime {
  readonly seconds: number;
  /** After this many seconds the client should long have fetched another one. */
  readonly warnAfter?: number | undefined;
}

export function claimsFor(
  account: Stored,
  bound: BoundObject | undefined,
  audiences: readonly string[],
  lifetime: Lifetime,
  issued: { readonly now: number; readonly id: string },
): ServiceAccountClaims {
  const { name, namespace } = account.metadata;
  const now = Math.floor(issued.now / 1000);
  return {
    aud: audiences,
    exp: now + lifetime.seconds,
    iat: now,
    iss: ISSUER,
    jti: issued.id,
    'kubernetes.io': {
      namespace: namespace!,
      ...boundClaims(bound),
      serviceaccount: claimOf(account),
      ...(lifetime.warnAfter !== undefined && { warnafter: now + lifetime.warnAfter }),
    },
    nbf: now,
    sub: serviceAccountUserName(namespace!, name!),
  };
}

function boundClaims(bound: BoundObject | undefined): Partial<ServiceAccountClaims['kubernetes.io']> {
  switch (bound?.kind) {
    case 'Pod':
      return { ...(bound.node && { node: bound.node }), pod: claimOf(bound.object) };
    case 'Secret':
      return { secret: claimOf(bound.object) };
    case 'Node':
      return { node: claimOf(bound.object) };
    case undefined:
      return {};
  }
}

export const claimOf = ({ metadata }: Stored): ObjectClaim => ({ name: metadata.name!, uid: metadata.uid! });

/** Clocks of clients and servers may differ by as much. */
const LEEWAY = 60;

/** What is wrong with the times of a token, undefined where nothing is. `now` in milliseconds. */
export function untimely({ exp, nbf, iat }: ServiceAccountClaims, now: number): string | undefined {
  const seconds = now / 1000;
  if (seconds + LEEWAY < nbf) return 'service account token is not valid yet';
  if (seconds - LEEWAY > exp) return 'service account token has expired';
  if (seconds + LEEWAY < iat) return 'service account token is issued in the future';
  return undefined;
}

/** What is wrong with an object that a claim names: deleted, or another one of the same name. */
export function isGone(object: Stored | undefined, now: number): boolean {
  const deleted = object?.metadata.deletionTimestamp;
  return object === undefined || (deleted !== undefined && Date.parse(deleted) < now - LEEWAY * 1000);
}

const EXTRA = 'authentication.kubernetes.io/';

/** The user that a token speaks for. */
export function userOf({ jti, 'kubernetes.io': claims }: ServiceAccountClaims): User {
  const { namespace, serviceaccount, pod, node } = claims;
  return {
    name: serviceAccountUserName(namespace, serviceaccount.name),
    uid: serviceaccount.uid!,
    groups: serviceAccountGroups(namespace),
    extra: {
      [`${EXTRA}credential-id`]: [`JTI=${jti}`],
      ...(node && { [`${EXTRA}node-name`]: [node.name] }),
      ...(node?.uid && { [`${EXTRA}node-uid`]: [node.uid] }),
      ...(pod && { [`${EXTRA}pod-name`]: [pod.name], [`${EXTRA}pod-uid`]: [pod.uid!] }),
    },
  };
}
