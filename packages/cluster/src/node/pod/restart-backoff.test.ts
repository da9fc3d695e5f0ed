import { expect, it } from 'vitest';
import { goDuration, nextStart, pullRetryDelay, type RestartBackoff } from './restart-backoff.ts';

it('a container that ends at once is restarted after 0, 10, 20, 40, 80, 160 and then every 300 seconds', () => {
  let now = 0;
  let backoff: RestartBackoff | undefined;
  const waits: number[] = [];
  for (let crash = 0; crash < 9; crash++) {
    const finishedAt = now;
    const next = nextStart(backoff, finishedAt, now);
    if (next.type === 'later') now = next.at;
    const started = nextStart(backoff, finishedAt, now);
    if (started.type !== 'now') throw new Error('still waits');
    waits.push((now - finishedAt) / 1000);
    backoff = started.backoff;
  }
  expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
});

it('one that ran for more than ten minutes begins anew', () => {
  const backoff = { delay: 300_000, updatedAt: 0 };
  expect(nextStart(backoff, 600_000, 600_000).type).toBe('later');
  expect(nextStart(backoff, 600_001, 600_001)).toEqual({ type: 'now', backoff: { delay: 10_000, updatedAt: 600_001 } });
});

it('prints durations as Go does', () => {
  expect([10_000, 80_000, 300_000].map(goDuration)).toEqual(['10s', '1m20s', '5m0s']);
});

it('pulls of images are tried again after 10 s, doubling to 5 minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(pullRetryDelay)).toEqual([10, 20, 40, 80, 160, 300, 300].map(s => s * 1000));
});
