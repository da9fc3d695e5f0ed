/** RFC 6901 paths as Kubernetes' patch library reads them: the text before the first slash does not count. */
import type { Json } from '@capstan/kube';
import { isObject, type JsonObject } from '../schema/json.ts';

/** The container a pointer ends in, and the last key. */
export interface Target {
  readonly container: JsonObject | Json[];
  readonly key: string;
}

/** Undefined when the way there is missing or leads through a scalar. */
export function locate(document: Json, pointer: string): Target | undefined {
  const parts = pointer.split('/').slice(1).map(decodePart);
  const key = parts.pop();
  if (key === undefined) return undefined;
  let container: Json | undefined = document;
  for (const part of parts) container = child(container, part);
  return typeof container === 'object' && container !== null ? { container, key } : undefined;
}

function child(container: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(container)) {
    const index = existingIndex(container, key);
    return typeof index === 'number' ? container[index] : undefined;
  }
  return isObject(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

/** The index of an item; from the end where negative. A string says what is wrong with the key. */
export function existingIndex(list: readonly Json[], key: string): number | string {
  return indexWithin(key, list.length);
}

/** Where an item is to be inserted: from 0 to the length, `-` for the end. */
export function insertionIndex(list: readonly Json[], key: string): number | string {
  return key === '-' ? list.length : indexWithin(key, list.length + 1);
}

function indexWithin(key: string, size: number): number | string {
  if (!/^[+-]?[0-9]{1,15}$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key);
  if (index >= size || index < -size) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + size : index;
}

const decodePart = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
