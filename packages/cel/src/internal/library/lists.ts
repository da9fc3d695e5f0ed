import type { Meter } from '../evaluate/meter.ts';
import { compare } from '../value/compare.ts';
import { equal } from '../value/equal.ts';
import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { ArrayList, List, ListBuilder } from '../value/list.ts';
import { Optional } from '../value/optional.ts';
import { elementIdentity } from '../value/set-equality.ts';
import { Duration } from '../value/time.ts';
import { Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { sumOf } from './arithmetic.ts';
import { define, type Overload } from './overload.ts';
import { sortBy, sortElements } from './sorting.ts';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

export const lists: readonly Overload[] = [
  ...COMPARABLE.flatMap(type => [
    define('isSorted', `list_${type}_is_sorted_bool`, `.(list(${type})): bool`, isSorted),
    define('min', `list_${type}_min_${type}`, `.(list(${type})): ${type}`, ([list]: [List], meter) =>
      extreme(list, 'min', meter),
    ),
    define('max', `list_${type}_max_${type}`, `.(list(${type})): ${type}`, ([list]: [List], meter) =>
      extreme(list, 'max', meter),
    ),
    define('sort', `list_${protobufName(type)}_sort`, `.(list(${type})): list(${type})`, ([list]: [List], meter) =>
      sortElements(list, meter),
    ),
    define(
      '@sortByAssociatedKeys',
      `list_${protobufName(type)}_sortByAssociatedKeys`,
      `.(list(T), list(${type})): list(T)`,
      ([list, keys]: [List, List], meter) => sortBy(list, keys, meter),
    ),
  ]),
  define('sum', 'list_int_sum_int', '.(list(int)): int', ([list]: [List], meter) => sum(list, 0n, meter)),
  define('sum', 'list_uint_sum_uint', '.(list(uint)): uint', ([list]: [List], meter) => sum(list, new Uint(0n), meter)),
  define('sum', 'list_double_sum_double', '.(list(double)): double', ([list]: [List], meter) => sum(list, 0, meter)),
  define('sum', 'list_duration_sum_duration', '.(list(duration)): duration', ([list]: [List], meter) =>
    sum(list, new Duration(0n), meter),
  ),
  define('indexOf', 'list_a_index_of_int', '.(list(A), A): int', ([list, item]: [List, Value], meter) =>
    find(list, item, 'first', meter),
  ),
  define('lastIndexOf', 'list_a_last_index_of_int', '.(list(A), A): int', ([list, item]: [List, Value], meter) =>
    find(list, item, 'last', meter),
  ),
  define('includes', 'list_includes_dyn_dyn', '.(dyn, dyn): bool', ([target, item]: [Value, Value], meter) => {
    if (!(target instanceof List)) return equal(target, item, meter) === true;
    return find(target, item, 'first', meter) !== -1n;
  }),
  define('slice', 'list_slice', '.(list(T), int, int): list(T)', slice),
  define('flatten', 'list_flatten', '.(list(list(T))): list(T)', ([list]: [List], meter) => flatten(list, 1n, meter)),
  define('flatten', 'list_flatten_int', '.(list(dyn), int): list(dyn)', ([list, depth]: [List, bigint], meter) =>
    depth < 0n ? new Failure('level must be non-negative') : flatten(list, depth, meter),
  ),
  define('distinct', 'list_distinct', '.(list(T)): list(T)', ([list]: [List], meter) => distinct(list, meter)),
  define('reverse', 'list_reverse', '.(list(T)): list(T)', ([list]: [List], meter) => {
    const elements = elementsOf(list, meter);
    return elements instanceof Failure ? elements : new ArrayList(elements.reverse());
  }),
  define('first', 'list_first', '.(list(V)): optional_type(V)', ([list]: [List]) => elementAt(list, 0)),
  define('last', 'list_last', '.(list(V)): optional_type(V)', ([list]: [List]) => elementAt(list, list.size - 1)),
  define('lists.range', 'lists_range', '(int): list(int)', range),
];

/** Two overload names spell times out as protobuf does. */
function protobufName(type: string): string {
  if (type === 'duration') return 'google.protobuf.Duration';
  return type === 'timestamp' ? 'google.protobuf.Timestamp' : type;
}

/** What it takes to copy an element: memory is the scarcer thing, so copies are dearer than looks. */
const COPY = 8;

export function elementsOf(list: List, meter: Meter): Value[] | Failure {
  const elements: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    meter.step(COPY + list.depth);
    const element = list.at(index);
    if (element instanceof Failure) return element;
    elements.push(element);
  }
  return elements;
}

function isSorted([list]: [List], meter: Meter): boolean | Failure {
  const elements = elementsOf(list, meter);
  if (elements instanceof Failure) return elements;
  return elements.every((element, index) => index === 0 || (compare(elements[index - 1]!, element) ?? 0) <= 0);
}

function extreme(list: List, which: 'min' | 'max', meter: Meter): Value | Failure {
  const elements = elementsOf(list, meter);
  if (elements instanceof Failure) return elements;
  if (elements.length === 0) return new Failure(`${which} called on empty list`);
  const better = (order: number) => (which === 'min' ? order < 0 : order > 0);
  return elements.reduce((best, element) => (better(compare(element, best) ?? 0) ? element : best));
}

function sum(list: List, zero: bigint | number | Uint | Duration, meter: Meter): Value | Failure {
  let total: Value | Failure = zero;
  for (let index = 0; index < list.size; index++) {
    meter.step(COPY + list.depth);
    const element = list.at(index);
    if (element instanceof Failure) return element;
    total = add(total, element);
    if (total instanceof Failure) return total;
  }
  return total;
}

function add(left: Value, right: Value): Value | Failure {
  if (typeof left === 'bigint' && typeof right === 'bigint') return sumOf.int(left + right);
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (left instanceof Uint && right instanceof Uint) return sumOf.uint(left.value + right.value);
  if (left instanceof Duration && right instanceof Duration) return sumOf.duration(left.nanos + right.nanos);
  return NO_SUCH_OVERLOAD;
}

function find(list: List, item: Value, which: 'first' | 'last', meter: Meter): bigint {
  for (let step = 0; step < list.size; step++) {
    meter.step(COPY + list.depth);
    const index = which === 'first' ? step : list.size - 1 - step;
    const element = list.at(index);
    if (!(element instanceof Failure) && equal(element, item, meter) === true) return BigInt(index);
  }
  return -1n;
}

function slice([list, start, end]: [List, bigint, bigint], meter: Meter): List | Failure {
  if (start < 0n || end < 0n) {
    return new Failure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end)
    return new Failure(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > BigInt(list.size)) return new Failure(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  const part: Value[] = [];
  for (let index = Number(start); index < Number(end); index++) {
    meter.step(COPY + list.depth);
    const element = list.at(index);
    if (element instanceof Failure) return element;
    part.push(element);
  }
  return new ArrayList(part);
}

function flatten(list: List, depth: bigint, meter: Meter): List | Failure {
  const flat: Value[] = [];
  const append = (from: List, levels: bigint): Failure | undefined => {
    for (let index = 0; index < from.size; index++) {
      meter.step(COPY + from.depth);
      const element = from.at(index);
      if (element instanceof Failure) return element;
      if (element instanceof List && levels > 0n) {
        const failure = append(element, levels - 1n);
        if (failure) return failure;
      } else {
        flat.push(element);
      }
    }
    return undefined;
  };
  return append(list, depth) ?? new ArrayList(flat);
}

/** Scalars are told apart by a text, anything else by comparing it with what was kept so far. */
function distinct(list: List, meter: Meter): List | Failure {
  const kept: Value[] = [];
  const known = new Set<string>();
  const others: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof Failure) return element;
    meter.step(COPY);
    const identity = elementIdentity(element, meter);
    if (!(identity instanceof Failure)) {
      if (known.has(identity)) continue;
      known.add(identity);
    } else {
      if (others.some(other => equal(other, element, meter) === true)) continue;
      others.push(element);
    }
    kept.push(element);
  }
  return new ArrayList(kept);
}

function elementAt(list: List, index: number): Value | Failure {
  if (list.size === 0) return Optional.none;
  const element = list.at(index);
  return element instanceof Failure ? element : new Optional(element);
}

function range([count]: [bigint], meter: Meter): List {
  const builder = new ListBuilder();
  meter.step(COPY * Number(count > 0n ? count : 0n));
  for (let index = 0n; index < count; index++) builder.push(index);
  return builder.finish();
}
