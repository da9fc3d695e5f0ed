import { Failure } from '../value/failure.ts';
import { parseQuantity, Quantity } from '../value/quantity.ts';
import { define, type Overload } from './overload.ts';

type Pair = [Quantity, Quantity];
type PairWithInt = [Quantity, bigint];

const MALFORMED = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const ofInteger = (value: bigint): Quantity => new Quantity(value, 0, true);

export const quantities: readonly Overload[] = [
  define(
    'quantity',
    'string_to_quantity',
    '(string): kubernetes.Quantity',
    ([text]: [string]) => parseQuantity(text) ?? new Failure(MALFORMED),
  ),
  define('isQuantity', 'is_quantity_string', '(string): bool', ([text]: [string]) => parseQuantity(text) !== undefined),
  define('sign', 'quantity_sign', '(kubernetes.Quantity): int', ([quantity]: [Quantity]) =>
    BigInt(quantity.compare(ofInteger(0n))),
  ),
  define(
    'isInteger',
    'quantity_is_integer',
    '.(kubernetes.Quantity): bool',
    ([quantity]: [Quantity]) => quantity.toInteger() !== undefined,
  ),
  define(
    'asInteger',
    'quantity_get_int',
    '.(kubernetes.Quantity): int',
    ([quantity]: [Quantity]) => quantity.toInteger() ?? new Failure('cannot convert value to integer'),
  ),
  define('asApproximateFloat', 'quantity_get_float', '.(kubernetes.Quantity): double', ([quantity]: [Quantity]) =>
    quantity.toNumber(),
  ),
  define(
    'isGreaterThan',
    'quantity_is_greater_than',
    '.(kubernetes.Quantity, kubernetes.Quantity): bool',
    ([left, right]: Pair) => left.compare(right) > 0,
  ),
  define(
    'isLessThan',
    'quantity_is_less_than',
    '.(kubernetes.Quantity, kubernetes.Quantity): bool',
    ([left, right]: Pair) => left.compare(right) < 0,
  ),
  define(
    'compareTo',
    'quantity_compare_to',
    '.(kubernetes.Quantity, kubernetes.Quantity): int',
    ([left, right]: Pair) => BigInt(left.compare(right)),
  ),
  define(
    'add',
    'quantity_add',
    '.(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity',
    ([left, right]: Pair) => left.plus(right),
  ),
  define('add', 'quantity_add_int', '.(kubernetes.Quantity, int): kubernetes.Quantity', ([left, right]: PairWithInt) =>
    left.plus(ofInteger(right)),
  ),
  define(
    'sub',
    'quantity_sub',
    '.(kubernetes.Quantity, kubernetes.Quantity): kubernetes.Quantity',
    ([left, right]: Pair) => left.plus(right.negated()),
  ),
  define('sub', 'quantity_sub_int', '.(kubernetes.Quantity, int): kubernetes.Quantity', ([left, right]: PairWithInt) =>
    left.plus(ofInteger(-right)),
  ),
];
