/** Where a kind's objects are kept, and how a stored one looks in the version that was asked for. */
import { apiVersionOf, deepClone, deepEqual, type Json } from '@capstan/kube';
import type { Draft, KindDefinition, Stored } from './kind.ts';
import { applyDefaults } from './schema/defaults.ts';
import { prune } from './schema/prune.ts';
import type { Entry } from './store/entry.ts';

export const tableOf = (kind: KindDefinition): string => `${kind.storage.group}/${kind.storage.plural}`;

export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Stored objects as objects of `kind`'s version. The common case, where that is the stored one, costs nothing. */
export function viewOf(kind: KindDefinition): (entry: Entry) => Entry {
  if (kind.custom) return entry => entry.view(kind, object => asCustom(kind, object));
  if (apiVersionOf(kind) === apiVersionOf(kind.storage)) return entry => entry;
  const convert = (object: Stored): Stored =>
    ordered(kind, kind.fromStorage ? kind.fromStorage(object) : { ...object }) as Stored;
  return entry => entry.view(kind, convert);
}

/**
 * The schema of a custom resource may have changed since the object was written, and another version has another one: what is
 * read has the fields and defaults of the version it is read in.
 */
function asCustom(kind: KindDefinition, object: Stored): Stored {
  const { schema, storageSchema = schema } = kind;
  const draft = ordered(kind, deepClone(object));
  prune(draft as unknown as Json, storageSchema);
  applyDefaults(draft as unknown as Json, storageSchema);
  if (storageSchema !== schema) prune(draft as unknown as Json, schema);
  return deepEqual(draft, object) ? object : (draft as Stored);
}

/** An object of another version as one of this: no more than its fields. */
export function asVersion(kind: KindDefinition, object: Stored): Stored {
  const draft = ordered(kind, deepClone(object));
  prune(draft as unknown as Json, kind.schema);
  return draft as Stored;
}

/** Kind and apiVersion first: they are cut off as a fixed prefix where a list leaves them out. */
export function ordered(kind: { kind: string; group: string; version: string }, object: object): Draft {
  const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return Object.assign({ ...type }, object, type) as unknown as Draft;
}

/** A draft of `kind`'s version, as it is stored. */
export function toStored(kind: KindDefinition, draft: Draft): Draft {
  const converted = kind.toStorage ? kind.toStorage(draft) : draft;
  const stored = ordered({ kind: kind.kind, group: kind.storage.group, version: kind.storage.version }, converted);
  if (kind.storageSchema) prune(stored as unknown as Json, kind.storageSchema);
  return stored;
}
