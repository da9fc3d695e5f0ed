import { describe, expect, test } from 'vitest';
import { humanDuration, since } from './duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('humanDuration', () => {
  test.each([
    [0, '0s'],
    [999, '0s'],
    [119 * SECOND + 999, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [9 * MINUTE + 59 * SECOND, '9m59s'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - SECOND, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [2 * DAY - SECOND, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [2 * YEAR - SECOND, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - SECOND, '7y364d'],
    [8 * YEAR + 100 * DAY, '8y'],
  ])('%d ms are %s', (milliseconds, text) => expect(humanDuration(milliseconds)).toBe(text));

  test('clocks that differ by less than two seconds do not matter', () => {
    expect(humanDuration(-1 * SECOND)).toBe('0s');
    expect(humanDuration(-1.999 * SECOND)).toBe('0s');
    expect(humanDuration(-2 * SECOND)).toBe('<invalid>');
  });
});

test('an age is counted from a timestamp, and unknown without one', () => {
  const now = Date.parse('2026-01-02T03:04:05.500Z');
  expect(since('2026-01-02T03:04:00Z', now)).toBe('5s');
  expect(since('2026-01-02T03:03:00.000000Z', now)).toBe('65s');
  expect(since(null, now)).toBe('<unknown>');
  expect(since(undefined, now)).toBe('<unknown>');
});
