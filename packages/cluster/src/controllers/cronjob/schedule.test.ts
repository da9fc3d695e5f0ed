import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule.ts';

const next = (schedule: string, after: string, zone?: string): string => {
  const time = parseSchedule(schedule, zone).next(Date.parse(after));
  return time === undefined ? 'never' : new Date(time).toISOString().replace('.000', '');
};

describe('the next time of a schedule', () => {
  it.each([
    ['*/15 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:15:00Z'],
    ['5/15 * * * *', '2026-01-01T00:06:00Z', '2026-01-01T00:20:00Z'],
    ['0 0 * * *', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['30 8 * * mon-fri', '2026-01-02T09:00:00Z', '2026-01-05T08:30:00Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', 'never'],
    // The 13th, or a Friday: where both are given either will do.
    ['0 0 13 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['0 0 13 * 5', '2026-01-09T00:00:00Z', '2026-01-13T00:00:00Z'],
    // A step over all days restricts the day, so that either will do here as well.
    ['0 0 */10 * 5', '2026-01-02T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['0 0 ? * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['@hourly', '2026-01-01T00:30:00Z', '2026-01-01T01:00:00Z'],
    ['@weekly', '2026-01-01T00:30:00Z', '2026-01-04T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every 90s', '2026-01-01T00:00:30Z', '2026-01-01T00:02:00Z'],
    ['@every 1h30m', '2026-01-01T00:00:00Z', '2026-01-01T01:30:00Z'],
  ])('%s after %s is %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected));

  it.each([
    ['0 12 * * *', '2026-01-01T00:00:00Z', 'Europe/Berlin', '2026-01-01T11:00:00Z'],
    ['0 12 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
    ['30 0 * * *', '2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01T19:00:00Z'],
    // 02:30 does not exist on that day, and comes twice on the other.
    ['30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-30T00:30:00Z'],
    ['30 2 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['30 2 * * *', '2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T01:30:00Z'],
    // Midnight does not exist there on that day.
    ['30 0 * * *', '2026-03-28T12:00:00Z', 'Africa/Cairo', '2026-03-28T22:30:00Z'],
    ['0 1 * * *', '2026-04-23T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ])('%s after %s in %s is %s', (schedule, after, zone, expected) =>
    expect(next(schedule, after, zone)).toBe(expected),
  );

  it.each(['* * * *', '60 * * * *', '* * * * 7', 'a * * * *', '*/0 * * * *', '@every soon', '@sometimes'])(
    'there is none for %s',
    schedule => expect(() => parseSchedule(schedule)).toThrow(),
  );

  it('there is none in a zone that does not exist', () => {
    expect(() => parseSchedule('* * * * *', 'Nowhere/Land')).toThrow(RangeError);
  });
});
