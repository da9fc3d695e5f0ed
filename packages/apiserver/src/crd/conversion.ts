/**
 * Between the versions of a custom resource. With strategy None only the apiVersion changes. With a webhook, the pure parts
 * are here (what to ask, what to accept); the call itself is given.
 */
import { deepEqual, type Json } from '@capstan/kube';
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
  const converted = readAnswer(review, answer);
  let next = 0;
  return objects.map(object => {
    if (object.apiVersion === desired) return { ...object } as Draft;
    const index = next++;
    const result = converted[index];
    if (!isObject(result)) throw invalidResponse(`converted object at index ${index} is not an object`);
    return acceptConverted(object, result, desired, index);
  });
}

function readAnswer(review: ConversionReview, answer: Json): readonly Json[] {
  const kind = isObject(answer) ? answer.kind : undefined;
  const apiVersion = isObject(answer) ? answer.apiVersion : undefined;
  if (!isObject(answer) || kind !== review.kind || apiVersion !== review.apiVersion) {
    const expected = `${review.apiVersion}, Kind=${review.kind}`;
    throw new ConversionError(
      `expected webhook response of ${expected}, got ${String(apiVersion)}, Kind=${String(kind)}`,
    );
  }
  const { response } = answer;
  if (!isObject(response)) throw new ConversionError('no response provided');
  if (review.apiVersion === 'apiextensions.k8s.io/v1' && response.uid !== review.request.uid) {
    const found = JSON.stringify(String(response.uid ?? ''));
    throw new ConversionError(`expected response.uid=${JSON.stringify(review.request.uid)}, got ${found}`);
  }
  const { result, convertedObjects: converted } = response;
  if (!isObject(result) || result.status !== 'Success') {
    const message =
      isObject(result) && typeof result.message === 'string' && result.message !== '' ? result.message : undefined;
    throw new ConversionError(
      message ?? `response.result.status was '${isObject(result) ? String(result.status ?? '') : ''}', not 'Success'`,
    );
  }
  const objects = Array.isArray(converted) ? converted : [];
  const wanted = review.request.objects.length;
  if (objects.length !== wanted) {
    throw new ConversionError(`webhook returned ${objects.length} objects, expected ${wanted}`);
  }
  return objects;
}

const invalidResponse = (detail: string): ConversionError => new ConversionError(`invalid converted object: ${detail}`);

function acceptConverted(original: Stored, converted: JsonObject, desired: string, index: number): Draft {
  const at = `at index ${index}`;
  if (converted.apiVersion !== desired) {
    throw invalidResponse(
      `${at}: invalid groupVersion (expected ${desired}, received ${String(converted.apiVersion)})`,
    );
  }
  if (converted.kind !== original.kind) {
    throw invalidResponse(`${at}: invalid kind (expected ${original.kind}, received ${String(converted.kind)})`);
  }
  const metadata = isObject(converted.metadata) ? converted.metadata : {};
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const [before, after] = [original.metadata[field] ?? '', metadata[field] ?? ''];
    if (before !== after) {
      const words = `must have the same ${field}: ${JSON.stringify(before)} != ${JSON.stringify(after)}`;
      throw invalidResponse(`${at}: ${words}`);
    }
  }
  const { labels, annotations } = metadata;
  const kept: JsonObject = { ...(original.metadata as JsonObject) };
  for (const [field, value] of Object.entries({ labels, annotations })) {
    if (value === undefined || value === null) delete kept[field];
    else if (!deepEqual(kept[field], value)) kept[field] = value;
  }
  return { ...converted, metadata: kept } as unknown as Draft;
}
