/** `serviceaccounts/<name>/token`: a token for a ServiceAccount, for as long and for whom the request says. */
import { type Json, timestamp, uuid } from '@capstan/kube';
import { type FieldError, invalidValue } from '../field-error.ts';
import type { Draft, Stored } from '../kind.ts';
import { badRequest, conflict, invalid, notFound } from '../status.ts';
import { keyOf } from '../storage.ts';
import type { WriteContext } from '../write/context.ts';
import { settleNamespace } from '../write/create.ts';
import { trackCreate } from '../write/field-managers.ts';
import { transientKind } from '../write/transient-kind.ts';
import { API_AUDIENCES, type BoundObject, claimsFor, type Lifetime } from './service-account-claims.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

export const TOKEN_REQUEST = transientKind({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  plural: 'TokenRequest',
  definition: 'io.k8s.api.authentication.v1.TokenRequest',
});

const ACCOUNTS = { group: '', plural: 'serviceaccounts', kind: 'ServiceAccount' };
const HOUR = 60 * 60;
const SHORTEST = 10 * 60;
const LONGEST = 2 ** 32;

/**
 * Pods get their tokens with this lifetime from the ServiceAccount admission. Clients that never read the file again would fail
 * after an hour, so these tokens live for a year, and warn.
 */
const IN_PODS = HOUR + 7;
const IN_PODS_REALLY = 365 * 24 * HOUR;

/** `context` is of the TokenRequest; `draft` is its decoded body. Gives the body of the answer. */
export function requestToken(context: WriteContext, name: string, draft: Draft, tokens: ServiceAccountTokens): Draft {
  const { store, clock, random, namespace } = context;
  const { metadata } = draft;
  settleNamespace(context, draft);
  if (metadata.name && metadata.name !== name) {
    const why = 'must match the service account name if specified';
    throw invalid(TOKEN_REQUEST, name, [invalidValue('metadata.name', metadata.name, why)]);
  }
  const account = store.get('/serviceaccounts', keyOf(namespace, name))?.object;
  if (!account) throw notFound(ACCOUNTS, name);
  if (metadata.uid && metadata.uid !== account.metadata.uid) throw otherAccount(name, metadata.uid, account);

  const now = clock.now();
  const spec = withDefaults(draft);
  trackCreate(context, draft);
  Object.assign(metadata, { name, namespace, uid: account.metadata.uid, creationTimestamp: timestamp(now) });
  const errors = validate(spec);
  if (errors.length > 0) throw invalid(TOKEN_REQUEST, '', errors);
  if (spec.audiences.length === 0) spec.audiences = [...API_AUDIENCES];
  const bound = spec.boundObjectRef ? boundObject(context, name, spec.boundObjectRef) : undefined;

  const lifetime = lifetimeOf(spec, bound);
  const claims = claimsFor(account, bound, spec.audiences, lifetime, { now, id: uuid(random) });
  const expirationTimestamp = timestamp(now + spec.expirationSeconds * 1000);
  draft['status'] = { token: tokens.sign(claims), expirationTimestamp };
  return draft;
}

interface Reference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface Spec {
  audiences: string[];
  expirationSeconds: number;
  boundObjectRef: Reference | null;
  attestations?: Readonly<Record<string, Json>>;
}

/** The fields in the order in which Kubernetes writes them. */
function withDefaults(draft: Draft): Spec {
  const { audiences, expirationSeconds, boundObjectRef, ...rest } = (draft['spec'] ?? {}) as Partial<Spec>;
  draft['spec'] = {
    audiences: audiences ?? [],
    expirationSeconds: expirationSeconds ?? HOUR,
    boundObjectRef: boundObjectRef ?? null,
    ...rest,
  };
  return draft['spec'] as Spec;
}

function validate({ expirationSeconds, attestations }: Spec): readonly FieldError[] {
  if (attestations && Object.keys(attestations).length > 0) {
    const why = 'attestations may only be specified with a webhook bound object reference';
    return [invalidValue('spec.attestations', attestations, why)];
  }
  const wrong = (why: string): FieldError => invalidValue('spec.expirationSeconds', expirationSeconds, why);
  if (expirationSeconds < SHORTEST) return [wrong('may not specify a duration less than 10 minutes')];
  if (expirationSeconds > LONGEST) return [wrong('may not specify a duration larger than 2^32 seconds')];
  return [];
}

function otherAccount(name: string, given: string, account: Stored) {
  const why = `the UID in the token request (${given}) does not match the UID of the service account (${account.metadata.uid})`;
  return conflict(TOKEN_REQUEST, name, why);
}

/** What the token will end with; it has to be there, and to be the one that is meant. */
function boundObject({ store, namespace }: WriteContext, account: string, reference: Reference): BoundObject {
  const { kind = '', apiVersion = '', name = '', uid } = reference;
  const [version, group = ''] = apiVersion.split('/').reverse() as [string, string?];
  const find = (table: string, key: string): Stored => {
    const found = store.get(`/${table}`, key)?.object;
    if (!found) throw notFound({ group: '', plural: table, kind }, name);
    return found;
  };
  const isTheOne = (object: Stored): Stored => {
    if (!uid || uid === object.metadata.uid) return object;
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: kind, kind }, name, why);
  };
  switch (group === '' ? kind : '') {
    case 'Pod': {
      const pod = find('pods', keyOf(namespace, name));
      if (pod['spec'].serviceAccountName !== account) {
        throw badRequest(
          `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
        );
      }
      return { kind: 'Pod', object: isTheOne(pod), node: nodeOf(store, pod) };
    }
    case 'Secret':
      return { kind: 'Secret', object: isTheOne(find('secrets', keyOf(namespace, name))) };
    case 'Node':
      return { kind: 'Node', object: isTheOne(find('nodes', name)) };
    default:
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
}

function nodeOf(store: WriteContext['store'], pod: Stored) {
  const name: string | undefined = pod['spec'].nodeName;
  if (!name) return undefined;
  const uid = store.get('/nodes', name)?.object.metadata.uid;
  return { name, ...(uid !== undefined && { uid }) };
}

function lifetimeOf({ expirationSeconds, audiences }: Spec, bound: BoundObject | undefined): Lifetime {
  const isOurs = audiences.every(audience => API_AUDIENCES.includes(audience));
  if (bound?.kind !== 'Pod' || expirationSeconds !== IN_PODS || !isOurs) return { seconds: expirationSeconds };
  return { seconds: IN_PODS_REALLY, warnAfter: IN_PODS };
}
