/**
 * Microseconds since 1970, the same in every process of a machine to within a few microseconds: the system's clock gives
 * milliseconds only, so its tick is waited for once and the monotonic clock counts from there.
 */
const tick = Date.now() + 2;
while (Date.now() < tick);
const base = BigInt(tick) * 1_000_000n - process.hrtime.bigint();

export function microsecondsNow(): number {
  return Number((process.hrtime.bigint() + base) / 1_000n);
}
