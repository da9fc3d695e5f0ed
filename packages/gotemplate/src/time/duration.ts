/** Go's `time.Duration`: nanoseconds as text and back. */

import { GoError } from '../errors.ts';
import { MAX_INT64 } from '../text/number.ts';
import { quoteBytes } from './quote.ts';

const units: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

export const SECOND = units['s']!;
export const MINUTE = units['m']!;
export const HOUR = units['h']!;

/** `1h2m3.5s`, `1.5ms`, `0s`. */
export function durationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (magnitude === 0n) return '0s';
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < SECOND) return `${sign}${decimal(magnitude, 6)}ms`;
  const hours = magnitude / HOUR;
  const minutes = (magnitude % HOUR) / MINUTE;
  const seconds = `${decimal(magnitude % MINUTE, 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

/** An integer with the point moved left, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const fraction = (value % scale).toString().padStart(places, '0').replace(/0+$/, '');
  return `${value / scale}${fraction && `.${fraction}`}`;
}

/** `time.ParseDuration`. */
export function parseDuration(text: string): bigint {
  const invalid = () => new GoError(`time: invalid duration ${quoteBytes(text)}`);
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(\.([0-9]*))?/.exec(rest)!;
    const [number, whole, , fraction = ''] = match;
    if ((whole === '' && fraction === '') || whole!.length > 20 || fraction.length > 40) throw invalid();
    rest = rest.slice(number.length);
    const unit = /^[^0-9.]*/.exec(rest)![0];
    if (unit === '') throw new GoError(`time: missing unit in duration ${quoteBytes(text)}`);
    const scale = Object.hasOwn(units, unit) ? units[unit]! : undefined;
    if (scale === undefined)
      throw new GoError(`time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`);
    rest = rest.slice(unit.length);
    total += BigInt(whole || '0') * scale;
    if (fraction) total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    if (total > MAX_INT64 + (text.startsWith('-') ? 1n : 0n)) throw invalid();
  }
  return text.startsWith('-') ? -total : total;
}

/** Rounds half away from zero to a multiple. */
export function roundDuration(value: bigint, multiple: bigint): bigint {
  const remainder = value % multiple;
  const magnitude = remainder < 0n ? -remainder : remainder;
  const down = value - remainder;
  if (magnitude * 2n < multiple) return down;
  return value < 0n ? down - multiple : down + multiple;
}
