/** Issues service account tokens and knows them again, as long as what they speak for is there. */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Clock } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import { goQuoteList } from '../schema/go-text.ts';
import { keyOf } from '../storage.ts';
import type { Store } from '../store/store.ts';
import type { TokenAuthenticator, TokenResult } from './authenticator.ts';
import { isSignedBy, readToken, type Signer, signerOf, signToken } from './jwt.ts';
import {
  ISSUER,
  isGone,
  type ObjectClaim,
  type ServiceAccountClaims,
  untimely,
  userOf,
} from './service-account-claims.ts';

/** A signature never becomes wrong, and checking one costs more than everything else about a request. */
const REMEMBERED = 1_000;

/** PEM (PKCS #8) of a new key to sign with. */
export function newServiceAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #pem: string | undefined;
  readonly #store: Store;
  readonly #clock: Clock;
  #signer: Signer | undefined;
  /** By the hash of the token: claims whose signature was found good. */
  readonly #verified = new Map<string, ServiceAccountClaims>();

  /** Without a key (PEM) one is made when it is first needed: its tokens end with this process. */
  constructor(key: string | undefined, store: Store, clock: Clock) {
    this.#pem = key;
    this.#store = store;
    this.#clock = clock;
    if (key !== undefined) this.#signer = signerOf(createPrivateKey(key));
  }

  /** The key, for a copy of this server whose tokens are to be the same. */
  get key(): string | undefined {
    return this.#pem;
  }

  /** For others to check tokens with. */
  get publicKey(): { readonly key: KeyObject; readonly id: string } {
    const { publicKey, keyId } = this.#signing();
    return { key: publicKey, id: keyId };
  }

  sign(claims: ServiceAccountClaims): string {
    return signToken(this.#signing(), claims);
  }

  authenticate(text: string, audiences: readonly string[]): TokenResult {
    const found = this.#claimsOf(text);
    if (!('claims' in found)) return found;
    const { claims } = found;
    const common = claims.aud.filter(audience => audiences.includes(audience));
    if (common.length === 0) {
      const why = `token audiences ${goQuoteList(claims.aud)} is invalid for the target audiences ${goQuoteList(audiences)}`;
      return { outcome: 'refused', why };
    }
    const why = untimely(claims, this.#clock.now()) ?? this.#outdated(claims);
    return why === undefined
      ? { outcome: 'known', user: userOf(claims), audiences: common }
      : { outcome: 'refused', why };
  }

  #claimsOf(text: string): { readonly claims: ServiceAccountClaims } | Exclude<TokenResult, { outcome: 'known' }> {
    const hash = createHash('sha256').update(text).digest('base64');
    const known = this.#verified.get(hash);
    if (known) return { claims: known };
    const token = readToken(text);
    if (!token || token.claims['iss'] !== ISSUER) return { outcome: 'unknown' };
    if (!isSignedBy(this.#signing(), token)) return { outcome: 'refused', why: 'invalid signature' };
    const claims = token.claims as unknown as ServiceAccountClaims;
    if (this.#verified.size >= REMEMBERED) this.#verified.delete(this.#verified.keys().next().value!);
    this.#verified.set(hash, claims);
    return { claims };
  }

  /** Why the objects that a token is about no longer stand behind it. */
  #outdated({ 'kubernetes.io': claims }: ServiceAccountClaims): string | undefined {
    const { namespace, serviceaccount, pod, secret, node } = claims;
    const account = this.#object('/serviceaccounts', namespace, serviceaccount);
    if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
    if (account.metadata.uid !== serviceaccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (isGone(account, this.#clock.now())) {
      return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    }
    return (
      (secret && this.#unbound('secret', '/secrets', namespace, secret)) ??
      (pod && this.#unbound('pod', '/pods', namespace, pod)) ??
      (node && !pod ? this.#unbound('node', '/nodes', undefined, node) : undefined)
    );
  }

  #unbound(what: string, table: string, namespace: string | undefined, claim: ObjectClaim): string | undefined {
    const object = this.#object(table, namespace, claim);
    if (object && object.metadata.uid !== claim.uid) {
      return `${what} UID (${object.metadata.uid}) does not match service account ${what} ref claim (${claim.uid})`;
    }
    return isGone(object, this.#clock.now()) ? 'service account token has been invalidated' : undefined;
  }

  #object(table: string, namespace: string | undefined, { name }: ObjectClaim): Stored | undefined {
    return this.#store.get(table, keyOf(namespace, name))?.object;
  }

  #signing(): Signer {
    this.#signer ??= signerOf(createPrivateKey(newServiceAccountKey()));
    return this.#signer;
  }
}
