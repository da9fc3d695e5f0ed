import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { microTimestamp, sleep, systemClock, systemRandom, timestamp, uuid } from './clock.ts';

describe('times as Kubernetes writes them', () => {
  it('have whole seconds', () => {
    expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe('2026-01-02T03:04:05Z');
  });

  it('or exactly six digits', () => {
    expect(microTimestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 7))).toBe('2026-01-02T03:04:05.007000Z');
    expect(microTimestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 7) + 0.25)).toBe('2026-01-02T03:04:05.007250Z');
  });
});

describe('identifiers', () => {
  it('are of version 4, whatever the randomness', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const byte of [0x00, 0xff]) {
      expect(uuid({ next: () => 0, bytes: count => new Uint8Array(count).fill(byte) })).toMatch(form);
    }
    expect(uuid(systemRandom)).not.toBe(uuid(systemRandom));
  });
});

describe('sleeping', () => {
  it('ends after its time and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    const before = systemClock.monotonic();
    await sleep(systemClock, 5, signal);
    expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(4);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends with the reason when aborted, before or while it lasts', async () => {
    const reason = new Error('enough');
    await expect(sleep(systemClock, 60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = sleep(systemClock, 60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  it('never fires too early for being too long', async () => {
    let fired = false;
    const timer = systemClock.after(2 ** 40, () => {
      fired = true;
    });
    await sleep(systemClock, 5);
    timer.unref().cancel();
    expect(fired).toBe(false);
  });
});
