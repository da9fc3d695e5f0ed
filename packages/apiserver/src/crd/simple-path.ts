/** The dotted paths of CRDs (`.spec.replicas`): what they say, and what an object has there. */
import type { Json } from '@capstan/kube';
import { isObject } from '../schema/json.ts';

export const pathSegments = (path: string): string[] => path.replace(/^\./, '').split('.');

/** The value at a path; undefined when the way there is missing or leads through something else than objects. */
export function valueAt(object: unknown, segments: readonly string[]): Json | undefined {
  let value = object as Json | undefined;
  for (const segment of segments) {
    value = isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}
