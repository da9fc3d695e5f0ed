import type { Meter } from '../evaluate/meter.ts';
import type { Overload } from '../library/overload.ts';
import { Failure } from '../value/failure.ts';
import { sizeOf } from '../value/kind.ts';
import { List } from '../value/list.ts';
import { Mapping } from '../value/mapping.ts';
import { Opaque } from '../value/opaque.ts';
import type { Value } from '../value/value.ts';
import { LIST_CREATION, REGEX_FACTOR, STRING_FACTOR } from './factors.ts';

/** What a call really cost, in Kubernetes' units, once its arguments and result are known. */
export function callCost(
  { name, id }: Overload,
  args: readonly Value[],
  result: Value | Failure,
  meter: Meter,
): number {
  const size = (index: number): number => {
    const value = args[index]!;
    if (typeof value === 'string') meter.scan(value.length);
    return sizeOf(value);
  };
  const traverse = (index: number, times = 1): number => Math.ceil(size(index) * times * STRING_FACTOR);
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
    case 'includes':
      return traversal(args[0]!, meter);
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return traverse(0);
    case 'ip':
      return id === 'cidr_ip' ? 1 : traverse(0);
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return traverse(0, 2);
    case 'join':
      return result instanceof Failure ? 1 : Math.ceil(sizeOf(result) * 2 * STRING_FACTOR);
    case 'find':
    case 'findAll':
    case 'matches':
      return Math.ceil((1 + size(0)) * STRING_FACTOR) * Math.ceil(size(1) * REGEX_FACTOR);
    case 'validate':
      return Math.ceil((1 + size(1)) * STRING_FACTOR) * Math.ceil(size(0) * REGEX_FACTOR);
    case 'containsIP':
      return traverse(0, 2) + (id === 'cidr_contains_ip_string' ? traverse(1) : 0);
    case 'containsCIDR':
      return traverse(0, 2) + traverse(0) + 1 + (id === 'cidr_contains_cidr_string' ? traverse(1) : 0);
    case 'sets.contains':
    case 'sets.intersects':
      return 1 + size(0) * size(1);
    case 'sets.equivalent':
      return 1 + 2 * size(0) * size(1);
    case 'lists.range':
    case 'slice':
    case 'reverse':
      return newList(result instanceof List ? result.size : 1, 1);
    case 'flatten':
      return newList(size(0), typeof args[1] === 'bigint' ? Math.max(1, Number(args[1])) : 1);
    case 'distinct':
    case 'sort':
      return selfComparison(args[0] as List);
    case '@sortByAssociatedKeys':
      return selfComparison(args[1] as List);
    case '_==_':
    case '_!=_':
      if (args[0] instanceof Opaque) return 1;
      return Math.ceil(Math.min(size(0), size(1)) * STRING_FACTOR);
    default:
      return byOverload(id, size, traverse);
  }
}

function byOverload(id: string, size: (index: number) => number, traverse: (index: number) => number): number {
  switch (id) {
    case 'starts_with_string':
    case 'ends_with_string':
      return traverse(1);
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traverse(0);
    case 'in_list':
      return size(1);
    case 'less_string':
    case 'less_equals_string':
    case 'greater_string':
    case 'greater_equals_string':
    case 'less_bytes':
    case 'less_equals_bytes':
    case 'greater_bytes':
    case 'greater_equals_bytes':
      return Math.ceil(Math.min(size(0), size(1)) * STRING_FACTOR);
    case 'add_string':
    case 'add_bytes':
      return Math.ceil((size(0) + size(1)) * STRING_FACTOR);
    case 'contains_string':
      return traverse(0) * traverse(1);
    default:
      return 1;
  }
}

const newList = (size: number, factor: number): number => Math.floor(size * factor) + 1 + LIST_CREATION;

/** Every element with every other, twice; a bit more for texts. */
function selfComparison(list: List): number {
  const first = list.size === 0 ? undefined : list.at(0);
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return newList(list.size ** 2, isText ? 2 + STRING_FACTOR : 2);
}

/** A call that could not be made because an argument failed. */
export function failedCallCost(name: string, values: readonly (Value | undefined)[]): number {
  const isEquality = name === '_==_' || name === '_!=_';
  return isEquality && values.some(value => value !== undefined && sizeOf(value) === 0) ? 0 : 1;
}

/** Every element once, and a tenth of every character. */
function traversal(value: Value, meter: Meter): number {
  meter.step();
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * STRING_FACTOR);
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING_FACTOR);
  let cost = 0;
  if (value instanceof List) {
    for (let index = 0; index < value.size; index++) cost += partTraversal(value.at(index), meter);
    return cost;
  }
  if (value instanceof Mapping) {
    for (const key of value.keys()) cost += traversal(key, meter) + partTraversal(value.get(key), meter);
    return cost;
  }
  return 1;
}

const partTraversal = (part: Value | Failure | undefined, meter: Meter): number =>
  part === undefined || part instanceof Failure ? 1 : traversal(part, meter);
