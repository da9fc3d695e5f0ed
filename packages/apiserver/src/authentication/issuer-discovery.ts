/** How others check tokens of service accounts without asking us about each: OpenID discovery and the public key. */
import type { Answer } from '../answer.ts';
import type { ServerRequest } from '../request.ts';
import { methodNotAllowed } from '../status.ts';
import { ISSUER } from './service-account-claims.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

const CONFIGURATION_PATH = '/.well-known/openid-configuration';
const KEYS_PATH = '/openid/v1/jwks';
/** Keys do not change while a cluster lives. */
const HEADERS = { 'cache-control': 'public, max-age=3600' };

/** Undefined when the path is none of these. */
export function handleIssuerDiscovery(tokens: ServiceAccountTokens, request: ServerRequest): Answer | undefined {
  const path = request.path.replace(/\/$/, '');
  if (path !== CONFIGURATION_PATH && path !== KEYS_PATH) return undefined;
  if (request.method !== 'GET') throw methodNotAllowed();
  return path === KEYS_PATH
    ? json('application/jwk-set+json', keySet(tokens))
    : json('application/json', configuration(request.headers['host']));
}

const json = (type: string, body: object): Answer => ({
  kind: 'document',
  status: 200,
  type,
  bytes: Buffer.from(JSON.stringify(body)),
  headers: HEADERS,
});

/** The keys are where the client reached us: a name that it can resolve, whatever the issuer is called. */
function configuration(host: string | undefined): object {
  return {
    issuer: ISSUER,
    jwks_uri: `https://${host ?? new URL(ISSUER).host}${KEYS_PATH}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

function keySet(tokens: ServiceAccountTokens): object {
  const { key, id } = tokens.publicKey;
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  return { keys: [{ use: 'sig', kty, kid: id, crv, alg: 'ES256', x, y }] };
}
