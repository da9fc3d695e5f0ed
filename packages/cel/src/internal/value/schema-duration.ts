import { Duration, isDurationInRange, NANOS_PER_SECOND, parseDuration } from './time.ts';

const SECOND = NANOS_PER_SECOND;
const UNITS: readonly (readonly [pattern: RegExp, nanos: bigint])[] = [
  [/^(?:ns|nano|nanos|nanosecond|nanoseconds)$/, 1n],
  [/^(?:us|µs|micro|micros|microsecond|microseconds)$/, 1_000n],
  [/^(?:ms|milli|millis|millisecond|milliseconds)$/, 1_000_000n],
  [/^(?:s|sec|secs|second|seconds)$/, SECOND],
  [/^(?:m|min|mins|minute|minutes)$/, 60n * SECOND],
  [/^(?:h|hr|hrs|hour|hours)$/, 3600n * SECOND],
  [/^(?:d|day|days)$/, 86_400n * SECOND],
  [/^(?:w|wk|week|weeks)$/, 604_800n * SECOND],
];

/** What `format: duration` accepts in a schema: Go's notation, and spelt-out units up to weeks (`2 days`). */
export function parseSchemaDuration(text: string): Duration | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined || text.length > 64) return plain;
  let nanos = 0n;
  let rest = text.trim();
  while (rest !== '') {
    const match = /^(\d+)\s*([a-zµ]+)\s*/.exec(rest);
    const unit = match && UNITS.find(([pattern]) => pattern.test(match[2]!));
    if (!match || !unit) return undefined;
    nanos += BigInt(match[1]!) * unit[1];
    rest = rest.slice(match[0].length);
  }
  return text.trim() !== '' && isDurationInRange(nanos) ? new Duration(nanos) : undefined;
}
