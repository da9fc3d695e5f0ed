/** Helm 4's functions for durations: texts as Go writes them (`1h30m`), and numbers as seconds. */

import {
  DURATION,
  define,
  type FuncMap,
  GoError,
  go,
  Int,
  parseDuration,
  typeOf,
  type Value,
} from '@capstan/gotemplate';

const second = 1_000_000_000n;
const longest = 2n ** 63n - 1n;
const shortest = -(2n ** 63n);

/** Nanoseconds. */
function asDuration(value: Value): bigint {
  if (value instanceof Int) {
    if (value.type === DURATION) return value.value;
    if (value.value > longest / second || value.value < shortest / second) {
      throw new GoError(`duration seconds overflow: ${value.value}`);
    }
    return value.value * second;
  }
  if (typeof value === 'number') return fromSeconds(value);
  if (typeof value === 'string') return fromText(value);
  if (value === null || value === undefined) throw new GoError('invalid duration');
  throw new GoError(`unsupported duration type ${typeOf(value)?.name}`);
}

function fromText(value: string): bigint {
  const text = value.trim();
  if (text === '') throw new GoError('empty duration');
  try {
    return parseDuration(text);
  } catch {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
      throw new GoError(`could not parse duration ${JSON.stringify(value)}`);
    }
    return fromSeconds(Number(text));
  }
}

function fromSeconds(seconds: number): bigint {
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${seconds}`);
  if (Math.abs(seconds) > Number(longest) / 1e9) throw new GoError(`duration seconds overflow: ${seconds}`);
  return BigInt(Math.trunc(seconds * 1e9));
}

/** What the lenient functions give for what is no duration. */
function orZero(value: Value): bigint {
  try {
    return asDuration(value);
  } catch (error) {
    if (error instanceof GoError) return 0n;
    throw error;
  }
}

/** Go's `Duration.Hours()` and its like: whole units and the rest apart, so that no digit is lost. */
function inUnits(duration: bigint, unit: bigint): number {
  return Number(duration / unit) + Number(duration % unit) / Number(unit);
}

const minutes = 60n * second;
const hours = 60n * minutes;
const duration = (value: bigint): Int => new Int(value, DURATION);
const whole = (unit: bigint) => define('any', value => go.int64(orZero(value) / unit));
const fraction = (unit: bigint) => define('any', value => inUnits(orZero(value), unit));
function truncate(value: bigint, multiple: bigint): bigint {
  return multiple <= 0n ? value : value - (value % multiple);
}

/** Half way goes away from zero. */
function round(value: bigint, multiple: bigint): bigint {
  if (multiple <= 0n) return value;
  const rest = value % multiple;
  const size = rest < 0n ? -rest : rest;
  if (size + size < multiple) return value - rest;
  const rounded = value < 0n ? value - rest - multiple : value - rest + multiple;
  return rounded > longest ? longest : rounded < shortest ? shortest : rounded;
}

/** `v` as it is where the multiple is no duration. */
function toMultiple(value: Value, multiple: Value, by: typeof round): Int {
  const nanoseconds = orZero(value);
  try {
    return duration(by(nanoseconds, asDuration(multiple)));
  } catch (error) {
    if (error instanceof GoError) return duration(nanoseconds);
    throw error;
  }
}

export const durationFunctions: FuncMap = {
  mustToDuration: define('any', value => duration(asDuration(value))),
  durationSeconds: fraction(second),
  durationMilliseconds: whole(1_000_000n),
  durationMicroseconds: whole(1_000n),
  durationNanoseconds: whole(1n),
  durationMinutes: fraction(minutes),
  durationHours: fraction(hours),
  durationDays: define('any', value => inUnits(orZero(value), hours) / 24),
  durationWeeks: define('any', value => inUnits(orZero(value), hours) / 24 / 7),
  durationRoundTo: define('any, any', (value, multiple) => toMultiple(value, multiple, round)),
  durationTruncateTo: define('any, any', (value, multiple) => toMultiple(value, multiple, truncate)),
};
