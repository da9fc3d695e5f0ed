/** Reading and copying whole objects. */
import type { Draft } from '../kind.ts';
import { isMap, type JsonObject, put } from './json-value.ts';

export function metadataOf(object: JsonObject | undefined): JsonObject {
  const metadata = object?.['metadata'];
  return isMap(metadata) ? metadata : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The entries, or undefined where the object has none (`[]` is not none: it asks for a reset). */
export function managedFieldsOf(object: JsonObject | undefined): readonly unknown[] | undefined {
  const entries = metadataOf(object)['managedFields'];
  return Array.isArray(entries) ? entries : undefined;
}

/** Nobody manages `managedFields`, so they take no part in comparing and merging. Shares all else. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (!isMap(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** A deep copy that may be edited. */
export function draftOf(object: JsonObject): Draft {
  const draft = copy(object) as Draft;
  draft.metadata ??= {};
  return draft;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const out: Record<string, unknown> = {};
  for (const key in value) put(out, key, copy((value as JsonObject)[key]));
  return out;
}

/** Puts back what a new object of the kind holds: a struct inside a Go struct cannot be removed, only emptied. */
export function refill(draft: Record<string, unknown>, empty: JsonObject | undefined): void {
  for (const name in empty) {
    const value = draft[name];
    if (value === undefined) draft[name] = copy(empty[name]);
    else if (isMap(value) && isMap(empty[name])) refill(value as Record<string, unknown>, empty[name]);
  }
}

/** `default/web; apps/v1, Kind=Deployment`, as Kubernetes names an object in errors of apply. */
export function objectText(object: JsonObject): string {
  const { name, namespace } = metadataOf(object);
  return `${textOf(namespace)}/${textOf(name)}; ${kindText(object)}`;
}

/** `apps/v1, Kind=Deployment`; the core group is empty: `/v1, Kind=Pod`. */
export function kindText(object: JsonObject): string {
  const apiVersion = textOf(object['apiVersion']);
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textOf(object['kind'])}`;
}
