/**
 * The way from client-side `kubectl apply` to server-side. The client left what it applied in an annotation; `kubectl apply
 * --server-side` may take over what that says it owned, and keeps the annotation up to date so that the way back stays open.
 */
import type { Draft } from '../kind.ts';
import { type Atom, atomOf } from './atom.ts';
import { compareBySchema } from './compare.ts';
import { difference, type FieldSet } from './fieldset.ts';
import { jsonText } from './go-text.ts';
import { isMap, type JsonObject } from './json-value.ts';
import { ListItemError } from './list-item.ts';
import { metadataOf } from './object.ts';
import { toFieldSet } from './to-field-set.ts';
import { TypeMismatch, validateValue } from './validate.ts';
import type { Versions } from './versions.ts';

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Other programs opt out by using another name. */
export const KUBECTL = 'kubectl';

/** Kubernetes' limit for all annotations of an object together. */
const MAXIMUM_ANNOTATION_BYTES = 256 * 1024;

function lastAppliedOf(object: JsonObject): string {
  const annotations = metadataOf(object)['annotations'];
  const value = isMap(annotations) ? annotations[LAST_APPLIED] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The fields that a client-side apply set and that still are as it set them; undefined where the annotation says nothing. */
export function ownedByLastApplied(live: JsonObject, versions: Versions): FieldSet | undefined {
  const applied = parse(lastAppliedOf(live));
  if (applied === undefined || applied['apiVersion'] !== versions.apiVersion) return undefined;
  try {
    return stillTrue(applied, live, atomOf(versions.schema));
  } catch (error) {
    // The annotation is text of a user: it may also be nested too deeply to be walked through.
    if (error instanceof TypeMismatch || error instanceof ListItemError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

function parse(json: string): JsonObject | undefined {
  if (json === '') return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isMap(value) && typeof value['kind'] === 'string' && value['kind'] !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}

function stillTrue(applied: JsonObject, live: JsonObject, atom: Atom): FieldSet {
  validateValue(live, atom, false);
  validateValue(applied, atom, false);
  const { modified, added, removed } = compareBySchema(applied, live, atom);
  return difference(difference(difference(toFieldSet(applied, atom), modified), added), removed);
}

/** Writes what was applied now into the annotation, if the object has it. */
export function updateLastApplied(draft: Draft, config: JsonObject): void {
  if (lastAppliedOf(draft) === '') return;
  const annotations: Record<string, string> = {
    ...draft.metadata.annotations,
    [LAST_APPLIED]: `${jsonText(withoutLastApplied(config))}\n`,
  };
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (size > MAXIMUM_ANNOTATION_BYTES) delete annotations[LAST_APPLIED];
  draft.metadata.annotations = annotations;
}

function withoutLastApplied(config: JsonObject): JsonObject {
  const metadata = config['metadata'];
  if (!isMap(metadata) || !isMap(metadata['annotations'])) return config;
  const { [LAST_APPLIED]: _, ...annotations } = metadata['annotations'];
  return { ...config, metadata: { ...metadata, annotations } };
}
