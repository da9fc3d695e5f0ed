/** The OpenAPI documents: `/openapi/v3`, one a group and version, and `/openapi/v2`, all in one. */
import type { Answer } from '../answer.ts';
import { documentAnswer, emptyAnswer, hashOf } from '../document.ts';
import type { KindDefinition } from '../kind.ts';
import type { ServerRequest } from '../request.ts';
import { acceptedForm } from './accept.ts';
import { PROTOBUF_V2, publishedV2, publishedV3, resourcesByPath } from './published.ts';

const V3 = '/openapi/v3';

/** Undefined when the path is none of these. */
export function handleOpenApi(kinds: Iterable<KindDefinition>, request: ServerRequest): Answer | undefined {
  if (request.path === '/openapi/v2') return everythingV2(kinds, request);
  if (request.path === V3) return indexV3(kinds, request);
  if (request.path.startsWith(`${V3}/`)) return groupVersionV3(kinds, request);
  return undefined;
}

/** A change of a document changes its address, so clients keep what they have until then. */
function indexV3(kinds: Iterable<KindDefinition>, request: ServerRequest): Answer {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const [path, resources] of resourcesByPath(kinds)) {
    paths[path] = { serverRelativeURL: addressV3(path, publishedV3(path, resources).hash) };
  }
  const bytes = Buffer.from(JSON.stringify({ paths }));
  return documentAnswer(request, { type: 'application/json', bytes, hash: hashOf(bytes) });
}

const addressV3 = (path: string, hash: string): string => `${V3}/${path}?hash=${hash}`;

/** A year: as long as a cache may keep anything. */
const FOREVER = 'public, immutable, max-age=31536000';

function groupVersionV3(kinds: Iterable<KindDefinition>, request: ServerRequest): Answer {
  const path = request.path.slice(V3.length + 1);
  const resources = resourcesByPath(kinds).get(path);
  if (resources === undefined) return emptyAnswer(404);
  if (acceptedForm(request.headers['accept'], ['application/json']) === undefined) return emptyAnswer(406);
  const document = publishedV3(path, resources);
  const asked = request.query.get('hash');
  if (asked === null || asked === '') return documentAnswer(request, document);
  if (asked === document.hash) return documentAnswer(request, document, { 'cache-control': FOREVER });
  return emptyAnswer(301, { location: addressV3(path, document.hash) });
}

function everythingV2(kinds: Iterable<KindDefinition>, request: ServerRequest): Answer {
  const form = acceptedForm(request.headers['accept'], ['application/json', PROTOBUF_V2]);
  return form === undefined ? emptyAnswer(406) : documentAnswer(request, publishedV2(kinds, form));
}
