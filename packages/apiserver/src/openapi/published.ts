/** The documents as they are sent. */
import { apiVersionOf } from '@capstan/kube';
import { type ApiResource, apiResources } from '../discovery/api-resource.ts';
import { type Document, hashOf } from '../document.ts';
import type { KindDefinition } from '../kind.ts';
import { cachedDocument } from './document-cache.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import { encodeSwagger } from './gnostic.ts';

export const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** What has a document of version 3: `api/v1`, `apis/apps/v1`, … */
export function resourcesByPath(kinds: Iterable<KindDefinition>): ReadonlyMap<string, readonly ApiResource[]> {
  const found = new Map<string, ApiResource[]>();
  for (const resource of apiResources(kinds)) {
    const path = resource.group === '' ? `api/${resource.version}` : `apis/${apiVersionOf(resource)}`;
    if (!found.has(path)) found.set(path, []);
    found.get(path)!.push(resource);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The document of the resources of one group and version. */
export function publishedV3(path: string, resources: readonly ApiResource[]): Document {
  return cachedDocument(path, resources, () => jsonDocument(documentV3(resources)));
}

/** One document for everything; as protobuf it is what kubectl up to 1.27 asks for. */
export function publishedV2(kinds: Iterable<KindDefinition>, form: 'application/json' | typeof PROTOBUF_V2): Document {
  const resources = apiResources(kinds);
  const json = cachedDocument('v2', resources, () => jsonDocument(documentV2(resources)));
  if (form === 'application/json') return json;
  return cachedDocument('v2.protobuf', resources, () => ({
    // Go's media types may not hold an `@`.
    type: PROTOBUF_V2.replace('@', '.'),
    bytes: encodeSwagger(JSON.parse(json.bytes.toString())),
    hash: json.hash,
  }));
}

function jsonDocument(content: unknown): Document {
  const bytes = Buffer.from(JSON.stringify(content));
  return { type: 'application/json', bytes, hash: hashOf(bytes) };
}
