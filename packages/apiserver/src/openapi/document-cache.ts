/** Documents are built when they are first asked for and kept while what they describe stays the same. */
import type { ApiResource } from '../discovery/api-resource.ts';
import type { Document } from '../document.ts';
import type { KindDefinition } from '../kind.ts';

interface Kept {
  readonly of: readonly ApiResource[];
  readonly document: Document;
}

/** Without custom resources nothing ever changes: all servers of the process share these. */
const builtin = new Map<string, Document>();
/** Of documents with custom resources, by the first of these: they go with it. */
const custom = new WeakMap<KindDefinition, Map<string, Kept>>();

export function cachedDocument(name: string, resources: readonly ApiResource[], build: () => Document): Document {
  const first = resources.find(({ definition }) => definition?.custom)?.definition;
  if (first === undefined) {
    const known = builtin.get(name) ?? build();
    builtin.set(name, known);
    return known;
  }
  const documents = custom.get(first) ?? new Map<string, Kept>();
  custom.set(first, documents);
  const known = documents.get(name);
  if (known && sameKinds(known.of, resources)) return known.document;
  const document = build();
  documents.set(name, { of: resources, document });
  return document;
}

function sameKinds(a: readonly ApiResource[], b: readonly ApiResource[]): boolean {
  return a.length === b.length && a.every((one, index) => one.definition === b[index]!.definition);
}
