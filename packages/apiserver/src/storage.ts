/** Where a kind's objects are kept, and how a stored one looks in the version that was asked for. */
import { apiVersionOf, deepClone, deepEqual, type Json } from '@capstan/kube';
import type { Draft, KindDefinition, Stored } from './kind.ts';
import { applyDefaults } from './schema/defaults.ts';
import { prune } from './schema/prune.ts';
import type { Schema } from './schema/schema.ts';
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
  if (needsWebhook(kind, object))
    throw new Error(`${apiVersionOf(kind)} of a ${kind.kind} is read before it is converted`);
  const isOwnVersion = object.apiVersion === apiVersionOf(kind);
  const draft = ordered(kind, isOwnVersion ? complete(object, kind.schema) : asStoredVersion(kind, object));
  if (!isOwnVersion) prune(draft as unknown as Json, kind.schema);
  return deepEqual(draft, object) ? object : (draft as Stored);
}

/** True where only a webhook can tell what the object is in `kind`'s version. */
export const needsWebhook = (kind: KindDefinition, { apiVersion }: Stored): boolean =>
  kind.conversionWebhook !== undefined && apiVersion !== apiVersionOf(kind);

/** With the fields and defaults that the stored version has today. */
export const asStoredVersion = (kind: KindDefinition, object: Stored): Stored =>
  complete(object, kind.storageSchema ?? kind.schema);

function complete(object: Stored, schema: Schema): Stored {
  const draft = deepClone(object);
  prune(draft as unknown as Json, schema);
  applyDefaults(draft as unknown as Json, schema);
  return draft;
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
  if (kind.conversionWebhook && kind.storageSchema) prune(stored as unknown as Json, kind.storageSchema);
  return stored;
}
