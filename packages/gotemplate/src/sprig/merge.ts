/**
 * `merge` and `mergeOverwrite` as mergo does them on maps. The corners matter to charts: without overwrite an empty value in
 * the target is replaced (`false`, `0`, `""`), with overwrite a nil in the source wins but an empty map does not; nested maps of
 * the target are changed in place, and a map taken from the source is shared, not copied.
 */

import { visit } from '../limits.ts';
import { isTrue } from '../value/truth.ts';
import { elementsOf, GoMap, type Value } from '../value/values.ts';

const isEmpty = (value: Value) => !isTrue(value);

export function mergeInto(target: GoMap, source: GoMap, overwrite: boolean): void {
  // mergo returns at once where the target is the source itself: nothing to do.
  if (target === source) return;
  visit();
  for (const key of source.keys()) mergeKey(target, source, key, overwrite);
}

function mergeKey(target: GoMap, source: GoMap, key: string, overwrite: boolean): void {
  const value = source.get(key);
  const existing = target.get(key);
  if (value === null || value === undefined) {
    if (overwrite) target.set(key, null);
    return;
  }
  const bothMaps = value instanceof GoMap && existing instanceof GoMap;
  if (bothMaps) mergeInto(existing, value, overwrite);
  const isList = elementsOf(value) !== undefined;
  const isTaken = existing !== undefined && !isEmpty(existing);
  if (isTaken && (bothMaps || (isList && !overwrite))) return;
  if (overwrite || !isTaken) target.set(key, value);
}
