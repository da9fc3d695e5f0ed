/**
 * Microseconds since 1970, the same in every process of a machine to within a few microseconds. The system's clock gives milliseconds
 * only, so its tick is caught and the monotonic clock counts from there. A tick is always noticed late, never early, by as much
 * as the machine is busy: of many the best counts.
 */
const TICKS = 50;

function noticedTick(): bigint {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return BigInt(now) * 1_000_000n - process.hrtime.bigint();
}

let base = noticedTick();
for (let tick = 1; tick < TICKS; tick++) {
  const offset = noticedTick();
  if (offset > base) base = offset;
}

export function microsecondsNow(): number {
  return Number((process.hrtime.bigint() + base) / 1_000n);
}
