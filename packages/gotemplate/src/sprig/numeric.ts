/** Integer and float arithmetic, conversions, sequences. */

import { GoError } from '../errors.ts';
import { sprint } from '../fmt/print.ts';
import { MAX_INT64, MIN_INT64, parseInteger } from '../text/number.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';
import { INT_SLICE } from '../value/types.ts';
import { GoSlice, Int, int, int64, type Value } from '../value/values.ts';
import { toFloat64, toInt64 } from './cast.ts';
import {
  addDecimals,
  type Decimal,
  decimalToFloat,
  divideDecimals,
  floatToDecimal,
  multiplyDecimals,
  subtractDecimals,
} from './decimal.ts';

const divideByZero = () => new GoError('runtime error: integer divide by zero');

function orZero(parse: () => bigint): bigint {
  try {
    return parse();
  } catch {
    return 0n;
  }
}

/** `strconv.Atoi` with its error ignored: text that is no number is zero, one out of range is the nearest bound. */
function atoi(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) return 0n;
  // More digits than an integer has: the bound, without building the number.
  const value = text.length > 100 ? (text[0] === '-' ? MIN_INT64 : MAX_INT64) : BigInt(text);
  return value > MAX_INT64 ? MAX_INT64 : value < MIN_INT64 ? MIN_INT64 : value;
}

/** How many numbers `untilStep` yields; charged for before they are made. */
function stepCount(start: number, stop: number, step: number): number {
  if (stop < start ? step >= 0 : step <= 0) return 0;
  return Math.max(0, Math.ceil((stop - start) / step));
}

function steps(start: number, stop: number, step: number): number[] {
  return Array.from({ length: stepCount(start, stop, step) }, (_, index) => start + index * step);
}

const ints = (values: readonly number[]) => new GoSlice(values.map(int), INT_SLICE);

/** The arguments of `untilStep` behind `seq`, which writes what the shell command of that name would. */
function sequence(params: readonly number[]): [number, number, number] | undefined {
  switch (params.length) {
    case 1: {
      const direction = params[0]! < 1 ? -1 : 1;
      return [1, params[0]! + direction, direction];
    }
    case 2: {
      const [start, end] = params as [number, number];
      const step = end < start ? -1 : 1;
      return [start, end + step, step];
    }
    case 3: {
      const [start, step, end] = params as [number, number, number];
      if (end < start) return step > 0 ? undefined : [start, end - 1, step];
      return [start, end + 1, step];
    }
    default:
      return undefined;
  }
}

/** Go's rounding of `round`: at the given place, up from `roundOn`. */
function round(value: Value, places: number, roundOn: number): number {
  const power = 10 ** places;
  const digit = power * toFloat64(value);
  const fraction = digit - Math.trunc(digit);
  return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
}

function decimals(first: Value, rest: readonly Value[], operation: (a: Decimal, b: Decimal) => Decimal): number {
  const start = floatToDecimal(toFloat64(first));
  return decimalToFloat(rest.map(value => floatToDecimal(toFloat64(value))).reduce(operation, start));
}

/** `math.Max` and `math.Min` agree with JavaScript's, NaN and signed zeros included. */
const extreme = (pick: (a: number, b: number) => number) =>
  define('any, ...any', (first, ...rest) => rest.map(toFloat64).reduce((a, b) => pick(a, b), toFloat64(first)));

const integerExtreme = (wins: (a: bigint, b: bigint) => boolean) =>
  define('any, ...any', (first, ...rest) =>
    int64(rest.map(toInt64).reduce((best, value) => (wins(value, best) ? value : best), toInt64(first))),
  );

const largest = integerExtreme((a, b) => a > b);

export const numericFunctions: FuncMap = {
  atoi: define('string', text => new Int(atoi(text))),
  int64: define('any', value => int64(toInt64(value))),
  int: define('any', value => new Int(toInt64(value))),
  float64: define('any', toFloat64),
  toDecimal: define('any', value => int64(orZero(() => parseInteger(sprint([value]), 8)))),
  add1: define('any', value => int64(toInt64(value) + 1n)),
  add: define('...any', (...values) => int64(values.map(toInt64).reduce((a, b) => a + b, 0n))),
  sub: define('any, any', (a, b) => int64(toInt64(a) - toInt64(b))),
  div: define('any, any', (a, b) => {
    const divisor = toInt64(b);
    if (divisor === 0n) throw divideByZero();
    return int64(toInt64(a) / divisor);
  }),
  mod: define('any, any', (a, b) => {
    const divisor = toInt64(b);
    if (divisor === 0n) throw divideByZero();
    return int64(toInt64(a) % divisor);
  }),
  mul: define('any, ...any', (first, ...rest) =>
    int64(rest.map(toInt64).reduce((a, b) => BigInt.asIntN(64, a * b), toInt64(first))),
  ),
  add1f: define('any', value => decimals(value, [1], addDecimals)),
  addf: define('...any', (...values) => decimals(0, values, addDecimals)),
  subf: define('any, ...any', (first, ...rest) => decimals(first, rest, subtractDecimals)),
  divf: define('any, ...any', (first, ...rest) => decimals(first, rest, divideDecimals)),
  mulf: define('any, ...any', (first, ...rest) => decimals(first, rest, multiplyDecimals)),
  biggest: largest,
  max: largest,
  min: integerExtreme((a, b) => a < b),
  maxf: extreme(Math.max),
  minf: extreme(Math.min),
  ceil: define('any', value => Math.ceil(toFloat64(value))),
  floor: define('any', value => Math.floor(toFloat64(value))),
  round: define('any, int, ...float64', (value, places, roundOn = 0.5) => round(value, places, roundOn)),
  until: defineWith('int', (execution, count) => {
    execution.budget.charge(Math.abs(count) * 8);
    return ints(steps(0, count, count < 0 ? -1 : 1));
  }),
  untilStep: defineWith('int, int, int', (execution, start, stop, step) => {
    execution.budget.charge(stepCount(start, stop, step) * 8);
    return ints(steps(start, stop, step));
  }),
  seq: defineWith('...int', (execution, ...params) => {
    const range = sequence(params);
    if (!range) return '';
    execution.budget.charge(stepCount(...range) * 8);
    return steps(...range).join(' ');
  }),
};
