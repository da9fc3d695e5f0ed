export interface SlowStart {
  readonly successes: number;
  readonly error: unknown;
}

/**
 * Does something `count` times in batches of 1, 2, 4, …: when all attempts fail for the same reason (a quota, a bad template), it is
 * found out with one request and not with hundreds. After a batch with a failure the rest is left for another time.
 */
export async function slowStart(count: number, attempt: (index: number) => Promise<void>): Promise<SlowStart> {
  let successes = 0;
  let begun = 0;
  for (let size = 1; begun < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - begun) }, (_, index) => begun + index);
    begun += batch.length;
    const results = await Promise.allSettled(batch.map(attempt));
    const failure = results.find(result => result.status === 'rejected');
    successes += results.filter(result => result.status === 'fulfilled').length;
    if (failure !== undefined) return { successes, error: failure.reason };
  }
  return { successes, error: undefined };
}
