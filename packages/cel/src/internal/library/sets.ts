import type { Meter } from '../evaluate/meter.ts';
import { equalOrFailure } from '../value/equal.ts';
import { Failure } from '../value/failure.ts';
import type { List } from '../value/list.ts';
import type { Value } from '../value/value.ts';
import { define, type Overload } from './overload.ts';

/** Lists taken as sets: order and repetitions do not matter. */
export const sets: readonly Overload[] = [
  define('sets.contains', 'list_sets_contains_list', '(list(T), list(T)): bool', ([list, part]: [List, List], meter) =>
    contains(list, part, meter),
  ),
  define(
    'sets.equivalent',
    'list_sets_equivalent_list',
    '(list(T), list(T)): bool',
    ([left, right]: [List, List], meter) => {
      const forth = contains(left, right, meter);
      return forth === true ? contains(right, left, meter) : forth;
    },
  ),
  define(
    'sets.intersects',
    'list_sets_intersects_list',
    '(list(T), list(T)): bool',
    ([left, right]: [List, List], meter) => {
      for (let index = 0; index < left.size; index++) if (has(right, left.at(index), meter) === true) return true;
      return false;
    },
  ),
];

function contains(list: List, part: List, meter: Meter): boolean | Failure {
  for (let index = 0; index < part.size; index++) {
    const found = has(list, part.at(index), meter);
    if (found !== true) return found;
  }
  return true;
}

function has(list: List, element: Value | Failure, meter: Meter): boolean | Failure {
  let failure: Failure | undefined;
  for (let index = 0; index < list.size; index++) {
    meter.step(list.depth);
    const same = equalOrFailure(list.at(index), element, meter);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}
