/**
 * Between the versions of a custom resource. With strategy None only the apiVersion changes. With a webhook, the pure parts
 * are here (what to ask, what to accept); the call itself is given.
 */
import { type Json, validateAnnotationKey, validateLabelKey, validateLabelValue } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import type { CrdConversion } from './types.ts';

/** Sends a ConversionReview to the webhook and gives its answer. */
export type ConversionCall = (
  review: ConversionReview,
  webhook: NonNullable<CrdConversion['webhook']>,
) => Promise<Json>;

export interface ConversionReview {
  readonly kind: 'ConversionReview';
  readonly apiVersion: `apiextensions.k8s.io/${string}`;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Json[];
  };
}

/** The webhook failed or answered something that cannot be used. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** Brings objects into a version. */
export type Converter = (objects: readonly Stored[], apiVersion: string) => Promise<Draft[]>;

/** The converter of a CRD with strategy Webhook; `newUid` names each question. */
export function webhookConverter(conversion: CrdConversion, call: ConversionCall, newUid: () => string): Converter {
  return async (objects, apiVersion) => {
    const review = conversionReview(conversion, objects, apiVersion, newUid());
    if (review === undefined) return objects.map(object => ({ ...object }) as Draft);
    return convertedObjects(review, await call(review, conversion.webhook!), objects);
  };
}

/** Only the apiVersion changes: what `None` means. */
export function relabel(object: Stored | Draft, apiVersion: string): Draft {
  return { ...object, apiVersion } as Draft;
}

/** The newest version of ConversionReview that both sides speak. */
export function reviewVersion(conversion: CrdConversion): 'v1' | 'v1beta1' | undefined {
  const spoken = conversion.webhook?.conversionReviewVersions ?? [];
  return spoken.find((version): version is 'v1' | 'v1beta1' => version === 'v1' || version === 'v1beta1');
}

/** Undefined when no object needs converting. */
export function conversionReview(
  conversion: CrdConversion,
  objects: readonly Stored[],
  desiredAPIVersion: string,
  uid: string,
): ConversionReview | undefined {
  const foreign = objects.filter(object => object.apiVersion !== desiredAPIVersion);
  if (foreign.length === 0) return undefined;
  const version = reviewVersion(conversion) ?? 'v1';
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects: foreign as unknown as Json[] },
  };
}

/**
 * The objects in the version asked for, in the order they were given: converted ones from the answer, the others as they are.
 * The webhook may change labels and annotations of metadata and nothing else of it.
 */
export function convertedObjects(review: ConversionReview, answer: Json, objects: readonly Stored[]): Draft[] {
  const desired = review.request.desiredAPIVersion;
  const fail = failureFor(objects[0]);
  const converted = readAnswer(review, answer, fail);
  let next = 0;
  return objects.map(object => {
    if (object.apiVersion === desired) return { ...object } as Draft;
    const index = next++;
    const which = objects.length === 1 ? 'object at index 0' : `converted object at index ${index}`;
    const refuse = (why: string): ConversionError => fail(`returned invalid ${which}: ${why}`);
    return acceptConverted(object, converted[index], desired, refuse);
  });
}

type Failure = (what: string) => ConversionError;

/** `conversion webhook for example.com/v1, Kind=Widget failed: …`. */
function failureFor(object: Stored | undefined): Failure {
  const about = `${object?.apiVersion}, Kind=${object?.kind}`;
  return what => new ConversionError(`conversion webhook for ${about} ${what}`);
}

function readAnswer(review: ConversionReview, answer: Json, fail: Failure): readonly Json[] {
  const kind = isObject(answer) ? answer.kind : undefined;
  const apiVersion = isObject(answer) ? answer.apiVersion : undefined;
  if (!isObject(answer) || kind !== review.kind || apiVersion !== review.apiVersion) {
    const [expected, got] = [
      `${review.apiVersion}, Kind=${review.kind}`,
      `${String(apiVersion)}, Kind=${String(kind)}`,
    ];
    throw fail(`failed: expected webhook response of ${expected}, got ${got}`);
  }
  const { response } = answer;
  if (!isObject(response)) throw fail('failed: no response provided');
  if (review.apiVersion === 'apiextensions.k8s.io/v1' && response.uid !== review.request.uid) {
    const found = JSON.stringify(String(response.uid ?? ''));
    throw fail(`failed: expected response.uid=${JSON.stringify(review.request.uid)}, got ${found}`);
  }
  const result = isObject(response.result) ? response.result : {};
  if (result.status !== 'Success') {
    const words = `response.result.status was '${String(result.status ?? '')}', not 'Success'`;
    throw fail(`failed: ${typeof result.message === 'string' && result.message !== '' ? result.message : words}`);
  }
  const objects = Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
  const wanted = review.request.objects.length;
  if (objects.length !== wanted) throw fail(`returned ${objects.length} objects, expected ${wanted}`);
  return objects;
}

function acceptConverted(original: Stored, converted: Json | undefined, desired: string, refuse: Failure): Draft {
  if (!isObject(converted)) throw refuse('it is not an object');
  if (converted.apiVersion !== desired) {
    throw refuse(`invalid groupVersion (expected ${desired}, received ${String(converted.apiVersion)})`);
  }
  if (converted.kind !== original.kind) {
    throw refuse(`invalid kind (expected ${original.kind}, received ${String(converted.kind)})`);
  }
  const { metadata } = converted;
  if (!isObject(metadata)) throw refuse('missing metadata in converted object');
  for (const [field, name] of IDENTITY) {
    const [before, after] = [original.metadata[field] ?? '', metadata[field] ?? ''];
    if (before !== after) throw refuse(`must have the same ${name}: ${before} != ${String(after)}`);
  }
  const kept: JsonObject = { ...(original.metadata as JsonObject) };
  for (const field of ['labels', 'annotations'] as const) {
    const value = metadata[field] ?? null;
    if (value === null) delete kept[field];
    else kept[field] = checkedTexts(value, field, refuse);
  }
  return { ...converted, metadata: kept } as unknown as Draft;
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function checkedTexts(value: Json, field: 'labels' | 'annotations', refuse: Failure): JsonObject {
  if (!isObject(value)) throw refuse(`invalid metadata.${field} in converted object`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw refuse(`metadata.${field}[${key}] must be a string in converted object`);
    const check = field === 'labels' ? validateLabelKey : validateAnnotationKey;
    const problems = [...check(key), ...(field === 'labels' ? validateLabelValue(text) : [])];
    if (problems.length > 0) throw refuse(`metadata.${field}: Invalid value: ${JSON.stringify(key)}: ${problems[0]}`);
  }
  return value;
}
