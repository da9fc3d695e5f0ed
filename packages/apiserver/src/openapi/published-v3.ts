/** The documents of version 3, built when they are first asked for and kept while what they describe stays the same. */
import { apiVersionOf } from '@capstan/kube';
import { type ApiResource, apiResources } from '../discovery/api-resource.ts';
import { type Document, hashOf } from '../document.ts';
import type { KindDefinition } from '../kind.ts';
import { documentV3 } from './document-v3.ts';

/** Groups without custom resources never change: all servers of the process share their documents. */
const builtin = new Map<string, Document>();
/** By the first custom kind; `of` are all kinds that the document was made from. */
const custom = new WeakMap<KindDefinition, { readonly of: readonly ApiResource[]; readonly document: Document }>();

/** What can be asked for: `api/v1`, `apis/apps/v1`, … */
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
  const first = resources.find(({ definition }) => definition?.custom)?.definition;
  const known = first === undefined ? builtin.get(path) : custom.get(first);
  if (known !== undefined && !('of' in known)) return known;
  if (known !== undefined && sameKinds(known.of, resources)) return known.document;
  const bytes = Buffer.from(JSON.stringify(documentV3(resources)));
  const document = { type: 'application/json', bytes, hash: hashOf(bytes) };
  if (first === undefined) builtin.set(path, document);
  else custom.set(first, { of: resources, document });
  return document;
}

function sameKinds(a: readonly ApiResource[], b: readonly ApiResource[]): boolean {
  return a.length === b.length && a.every((one, index) => one.definition === b[index]!.definition);
}
