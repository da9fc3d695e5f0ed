import { describe, expect, it } from 'vitest';
import { slowStart } from './slow-start.ts';

async function batches(count: number, failsAt?: number) {
  const sizes: number[] = [];
  let turn: Promise<void> | undefined;
  const result = await slowStart(count, async index => {
    // All attempts of a batch begin before any of them ends.
    if (turn === undefined) {
      sizes.push(0);
      turn = Promise.resolve().then(() => void (turn = undefined));
    }
    sizes[sizes.length - 1]!++;
    await turn;
    if (index === failsAt) throw new Error('no');
  });
  return { sizes, ...result };
}

describe('a slow start', () => {
  it('doubles with every batch that goes well', async () => {
    expect(await batches(10)).toEqual({ sizes: [1, 2, 4, 3], successes: 10, error: undefined });
    expect(await batches(0)).toEqual({ sizes: [], successes: 0, error: undefined });
  });

  it('ends with the first batch that does not', async () => {
    expect(await batches(100, 0)).toEqual({ sizes: [1], successes: 0, error: new Error('no') });
    expect(await batches(100, 4)).toEqual({ sizes: [1, 2, 4], successes: 6, error: new Error('no') });
  });
});
