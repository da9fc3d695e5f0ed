import type { Meter } from '../evaluate/meter.ts';
import { compare } from '../value/compare.ts';
import { equal, equalOrFailure } from '../value/equal.ts';
import { Failure, NO_SUCH_OVERLOAD, noSuchKey } from '../value/failure.ts';
import type { List } from '../value/list.ts';
import type { Mapping } from '../value/mapping.ts';
import { Optional } from '../value/optional.ts';
import { Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { keyText } from './key-text.ts';
import { define, type Overload } from './overload.ts';

/** Comparison, equality, membership and indexing. Logical operators are part of the evaluator: they do not evaluate all operands. */
export const operators: readonly Overload[] = [
  define('!_', 'logical_not', '(bool): bool', ([value]: [boolean]) => !value),
  define('_&&_', 'logical_and', '(bool, bool): bool', unreachable),
  define('_||_', 'logical_or', '(bool, bool): bool', unreachable),
  define('_?_:_', 'conditional', '(bool, A, A): A', unreachable),
  define('@not_strictly_false', 'not_strictly_false', '(bool): bool', unreachable),
  define('_?._', 'select_optional_field', '(dyn, string): optional_type(V)', unreachable),
  define('_==_', 'equals', '(A, A): bool', ([left, right]: [Value, Value], meter) => equal(left, right, meter)),
  define('_!=_', 'not_equals', '(A, A): bool', ([left, right]: [Value, Value], meter) => {
    const same = equal(left, right, meter);
    return same instanceof Failure ? same : !same;
  }),
  define('@in', 'in_list', '(A, list(A)): bool', inList),
  define('@in', 'in_map', '(A, map(A, B)): bool', ([key, map]: [Value, Mapping]) => {
    const found = map.get(key);
    return found instanceof Failure ? found : found !== undefined;
  }),
  define('_[_]', 'index_list', '(list(A), int): A', ([list, index]: [List, Value]) => indexList(list, index)),
  define('_[_]', 'index_map', '(map(A, B), A): B', ([map, key]: [Mapping, Value]) => indexMap(map, key)),
  define('_[_]', 'optional_list_index_int', '(optional_type(list(V)), int): optional_type(V)', indexOptional),
  define('_[_]', 'optional_map_index_value', '(optional_type(map(K, V)), K): optional_type(V)', indexOptional),
  define('_[?_]', 'list_optindex_optional_int', '(list(V), int): optional_type(V)', indexOptional),
  define(
    '_[?_]',
    'optional_list_optindex_optional_int',
    '(optional_type(list(V)), int): optional_type(V)',
    indexOptional,
  ),
  define('_[?_]', 'map_optindex_optional_value', '(map(K, V), K): optional_type(V)', indexOptional),
  define(
    '_[?_]',
    'optional_map_optindex_optional_value',
    '(optional_type(map(K, V)), K): optional_type(V)',
    indexOptional,
  ),
  ...comparisons('_<_', 'less', order => order < 0),
  ...comparisons('_<=_', 'less_equals', order => order <= 0),
  ...comparisons('_>_', 'greater', order => order > 0),
  ...comparisons('_>=_', 'greater_equals', order => order >= 0),
];

function unreachable(): never {
  throw new Error('evaluated by the evaluator itself');
}

function comparisons(name: string, prefix: string, holds: (order: number) => boolean): Overload[] {
  const call = ([left, right]: [Value, Value], meter: Meter): Value => {
    if (typeof left === 'string' && typeof right === 'string') meter.scan(Math.min(left.length, right.length));
    const order = compare(left, right);
    return order !== undefined && holds(order);
  };
  const pairs: readonly (readonly [suffix: string, left: string, right: string])[] = [
    ['bool', 'bool', 'bool'],
    ['int64', 'int', 'int'],
    ['int64_double', 'int', 'double'],
    ['int64_uint64', 'int', 'uint'],
    ['uint64', 'uint', 'uint'],
    ['uint64_double', 'uint', 'double'],
    ['uint64_int64', 'uint', 'int'],
    ['double', 'double', 'double'],
    ['double_int64', 'double', 'int'],
    ['double_uint64', 'double', 'uint'],
    ['string', 'string', 'string'],
    ['bytes', 'bytes', 'bytes'],
    ['timestamp', 'timestamp', 'timestamp'],
    ['duration', 'duration', 'duration'],
  ];
  return pairs.map(([suffix, left, right]) => define(name, `${prefix}_${suffix}`, `(${left}, ${right}): bool`, call));
}

function inList([value, list]: [Value, List], meter: Meter): boolean | Failure {
  let failure: Failure | undefined;
  for (let index = 0; index < list.size; index++) {
    meter.step(list.depth);
    const same = equalOrFailure(value, list.at(index), meter);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}

export function indexList(list: List, index: Value): Value | Failure {
  const position = listPosition(index);
  if (position === undefined) return new Failure('unsupported index type in list');
  if (position < 0 || position >= list.size) return new Failure(`index out of bounds: ${position}`);
  return list.at(Number(position));
}

/** A dynamic index may be any number type that holds a whole number. */
function listPosition(index: Value): bigint | undefined {
  if (typeof index === 'bigint') return index;
  if (index instanceof Uint) return index.value;
  return typeof index === 'number' && Number.isInteger(index) ? BigInt(index) : undefined;
}

export function indexMap(map: Mapping, key: Value): Value | Failure {
  return map.get(key) ?? noSuchKeyUnlessPresent(map, key);
}

/** `??` above also catches a value that is null. */
function noSuchKeyUnlessPresent(map: Mapping, key: Value): Value | Failure {
  return map.get(key) === null ? null : noSuchKey(keyText(key));
}

function indexOptional([operand, key]: [Optional | List | Mapping, Value]): Value | Failure {
  const container = operand instanceof Optional ? operand.value : operand;
  if (container === undefined) return Optional.none;
  if (isMapping(container)) {
    const found = container.get(key);
    return found instanceof Failure ? found : new Optional(found);
  }
  if (!isList(container)) return NO_SUCH_OVERLOAD;
  const found = indexList(container, key);
  if (!(found instanceof Failure)) return new Optional(found);
  return found.message.startsWith('index out of bounds') ? Optional.none : found;
}

const isMapping = (value: Value): value is Mapping => typeof value === 'object' && value !== null && 'keys' in value;
const isList = (value: Value): value is List => typeof value === 'object' && value !== null && 'at' in value;
