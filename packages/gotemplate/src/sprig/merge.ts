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
  const targetWasEmpty = target.size === 0;
  for (const key of source.keys()) mergeKey(target, source, key, overwrite, targetWasEmpty);
}

function mergeKey(target: GoMap, source: GoMap, key: string, overwrite: boolean, targetWasEmpty: boolean): void {
  const value = source.get(key);
  const existing = target.get(key);
  if (value === null || value === undefined) {
    if (overwrite) target.set(key, null);
    return;
  }
  const isList = elementsOf(value) !== undefined;
  if (value instanceof GoMap && existing instanceof GoMap) mergeInto(existing, value, overwrite);
  else if (isList && !(overwrite || targetWasEmpty) && existing === undefined) {
    // Seen by nobody: the value itself is set below.
  }
  if (isList && (overwrite || targetWasEmpty)) {
    target.set(key, value);
    return;
  }
  if (existing !== undefined && !isEmpty(existing)) {
    if (isList) return;
    if (value instanceof GoMap && existing instanceof GoMap) return;
  }
  if (overwrite || existing === undefined || isEmpty(existing)) target.set(key, value);
}
