/** Dictionaries. */

import { GoError } from '../errors.ts';
import { visit } from '../limits.ts';
import { define, type FuncMap } from '../value/function.ts';
import { GoMap, GoSlice, list, strings, typeName, type Value } from '../value/values.ts';
import { mergeInto } from './merge.ts';
import { toText } from './text.ts';

function dict(items: readonly Value[]): GoMap {
  const map = new GoMap();
  for (let index = 0; index < items.length; index += 2) {
    map.set(toText(items[index]), index + 1 < items.length ? items[index + 1] : '');
  }
  return map;
}

function copyOf(value: Value): Value {
  visit();
  if (value instanceof GoMap)
    return new GoMap(
      value.keys().map(key => [key, copyOf(value.get(key))]),
      value.type,
      value.isNil,
    );
  if (value instanceof GoSlice) return new GoSlice(value.items.map(copyOf), value.type, value.isNil);
  return value;
}

function deepCopy(value: Value): Value {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return copyOf(value);
}

/** Go's failed type assertion. */
function conversion(value: Value, wanted: string): GoError {
  return new GoError(
    `interface conversion: interface {} is ${value === null ? 'nil' : typeName(value)}, not ${wanted}`,
  );
}

function asMap(value: Value): GoMap {
  if (!(value instanceof GoMap) || value.type.named || value.type.name !== 'map[string]interface {}') {
    throw conversion(value, 'map[string]interface {}');
  }
  return value;
}

function dig(params: readonly Value[]): Value {
  if (params.length < 3) throw new GoError('dig needs at least three arguments');
  let map = asMap(params.at(-1));
  const fallback = params.at(-2);
  const path = params.slice(0, -2).map(key => {
    if (typeof key !== 'string') throw conversion(key, 'string');
    return key;
  });
  for (const [index, key] of path.entries()) {
    if (!map.has(key)) return fallback;
    const step = map.get(key);
    if (index === path.length - 1) return step;
    map = asMap(step);
  }
  return fallback;
}

function merge(overwrite: boolean) {
  return define('map, ...map', (target, ...sources) => {
    for (const source of sources) mergeInto(target, source, overwrite);
    return target;
  });
}

export const dictFunctions: FuncMap = {
  dict: define('...any', (...items) => dict(items)),
  get: define('map, string', (map, key) => (map.has(key) ? map.get(key) : '')),
  set: define('map, string, any', (map, key, value) => {
    if (map.isNil) throw new GoError('assignment to entry in nil map');
    map.set(key, value);
    return map;
  }),
  unset: define('map, string', (map, key) => {
    map.delete(key);
    return map;
  }),
  hasKey: define('map, string', (map, key) => map.has(key)),
  pluck: define('string, ...map', (key, ...maps) => list(maps.filter(map => map.has(key)).map(map => map.get(key)))),
  // Go's order is random here; ours is sorted, one of the orders Go may give.
  keys: define('...map', (...maps) => strings(maps.flatMap(map => map.keys()))),
  values: define('map', map => list(map.keys().map(key => map.get(key)))),
  pick: define(
    'map, ...string',
    (map, ...keys) => new GoMap(keys.filter(key => map.has(key)).map(key => [key, map.get(key)])),
  ),
  omit: define('map, ...string', (map, ...keys) => {
    const omitted = new Set(keys);
    return new GoMap(
      map
        .keys()
        .filter(key => !omitted.has(key))
        .map(key => [key, map.get(key)]),
    );
  }),
  merge: merge(false),
  mustMerge: merge(false),
  mergeOverwrite: merge(true),
  mustMergeOverwrite: merge(true),
  dig: define('...any', (...params) => dig(params)),
  deepCopy: define('any', deepCopy),
  mustDeepCopy: define('any', deepCopy),
};
