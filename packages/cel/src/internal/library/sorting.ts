import type { Meter } from '../evaluate/meter.ts';
import { compare } from '../value/compare.ts';
import { Failure } from '../value/failure.ts';
import { ArrayList, type List } from '../value/list.ts';
import type { Value } from '../value/value.ts';

export function sortElements(list: List, meter: Meter): List | Failure {
  return sortBy(list, list, meter);
}

/** The elements of `list` in the order of their `keys`. Keys must all be of one type that has an order. */
export function sortBy(list: List, keys: List, meter: Meter): List | Failure {
  if (list.size !== keys.size) {
    return new Failure(`@sortByAssociatedKeys() expected a list of the same size as the associated keys list`);
  }
  const pairs: { readonly key: Value; readonly element: Value }[] = [];
  for (let index = 0; index < list.size; index++) {
    meter.step(8 + list.depth + keys.depth);
    const key = keys.at(index);
    const element = list.at(index);
    if (key instanceof Failure) return key;
    if (element instanceof Failure) return element;
    if (compare(key, pairs[0]?.key ?? key) === undefined) return new Failure('list elements must have the same type');
    pairs.push({ key, element });
  }
  meter.step(pairs.length * (1 + Math.log2(pairs.length + 1)));
  pairs.sort((left, right) => {
    if (typeof left.key === 'string') meter.scan(left.key.length);
    return compare(left.key, right.key) ?? 0;
  });
  return new ArrayList(pairs.map(({ element }) => element));
}
