/** Sprig's way of turning values into strings. */

import { describeValue } from '../fmt/print.ts';
import { fromBytes } from '../text/bytes.ts';
import { elementsOf, type Value } from '../value/values.ts';

/** `strval`: strings and bytes as they are, the rest as `%v`. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? fromBytes(value) : describeValue(value);
}

/** `strslice`: the elements of a list without nils, or the value as the only element. */
export function toTexts(value: Value): string[] {
  const elements = elementsOf(value);
  if (elements) return elements.filter(element => element !== null && element !== undefined).map(toText);
  return value === null || value === undefined ? [] : [toText(value)];
}
