/** A point in time, in nanoseconds since 1970. Years 1 to 9999. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A length of time in nanoseconds, within 64 bits (about 292 years). */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export const NANOS_PER_SECOND = 1_000_000_000n;

const EARLIEST = -62_135_596_800n * NANOS_PER_SECOND;
const LATEST = 253_402_300_800n * NANOS_PER_SECOND - 1n;

export const isTimestampInRange = (nanos: bigint): boolean => nanos >= EARLIEST && nanos <= LATEST;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Nanoseconds since 1970 for `2006-01-02T15:04:05.123Z`; `undefined` for anything else, including February 30. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = parseDate(`${match[1]}-${match[2]}-${match[3]}`);
  if (midnight === undefined || year === 0 || month === 0 || day === 0) return undefined;
  const offsetMinutes = match[8] === undefined ? 0 : Number(match[9]) * 60 + Number(match[10]);
  if (Number(match[9] ?? 0) > 24 || Number(match[10] ?? 0) > 59) return undefined;
  const sign = match[8] === '-' ? -1 : 1;
  const seconds = hour * 3600 + minute * 60 + second - sign * offsetMinutes * 60;
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  const nanos = midnight.nanos + BigInt(seconds) * NANOS_PER_SECOND + fraction;
  return isTimestampInRange(nanos) ? new Timestamp(nanos) : undefined;
}

/** Midnight, UTC, of `2006-01-02`. */
export function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  if (moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day) return undefined;
  return new Timestamp(BigInt(moment.getTime()) * 1_000_000n);
}

/** RFC 3339 with as many fractional digits as needed. */
export function formatTimestamp({ nanos }: Timestamp): string {
  const { seconds, rest } = split(nanos);
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = rest === 0n ? '' : `.${rest.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

/** Seconds and nanoseconds, the latter never negative. */
export function split(nanos: bigint): { readonly seconds: bigint; readonly rest: bigint } {
  const rest = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return { seconds: (nanos - rest) / NANOS_PER_SECOND, rest };
}

const UNIT: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: NANOS_PER_SECOND,
  m: 60n * NANOS_PER_SECOND,
  h: 3600n * NANOS_PER_SECOND,
};

/** Go's notation: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > LONGEST_DURATION) return undefined;
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return new Duration(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let nanos = 0n;
  for (const [, whole, fraction, unit] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = UNIT[unit!]!;
    nanos += BigInt(whole || '0') * scale;
    if (fraction) nanos += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  const signed = negative ? -nanos : nanos;
  return isDurationInRange(signed) ? new Duration(signed) : undefined;
}

/** Longer texts only repeat units, and their digits would be big-number work. */
const LONGEST_DURATION = 1024;

export const isDurationInRange = (nanos: bigint): boolean => nanos >= -(2n ** 63n) && nanos < 2n ** 63n;

/** Seconds with a decimal fraction: `5400s`, `-1.5s`. */
export function formatDuration({ nanos }: Duration): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = (magnitude % NANOS_PER_SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${magnitude / NANOS_PER_SECOND}${fraction ? `.${fraction}` : ''}s`;
}
