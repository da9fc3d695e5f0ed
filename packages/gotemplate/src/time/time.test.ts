import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { system } from '../system.ts';
import { durationText, parseDuration, roundDuration } from './duration.ts';
import { formatTime } from './format.ts';
import { parseTime } from './parse.ts';
import { parseZone, UTC } from './zone.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Sydney',
  'America/Sao_Paulo',
  'Asia/Tokyo',
];
const known = zones.filter(name => system.zone(name) !== undefined);

/** The offset by the platform's own database, in seconds. */
function platformOffset(zone: string, seconds: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    seconds * 1000,
  );
  const match = /GMT(?:([+-])(\d+):(\d+))?/.exec(parts.find(part => part.type === 'timeZoneName')!.value)!;
  if (!match[1]) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

describe('a time zone', () => {
  it.skipIf(known.length === 0)('has the offsets the platform has, past and future', () => {
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...known), seconds, (zone, moment) => {
        expect(system.zone(zone)!.at(BigInt(moment)).offset).toBe(platformOffset(zone, moment));
      }),
      { numRuns: 300 },
    );
  });

  it('is not looked for outside the database', () => {
    expect(['../../../etc/passwd', '/etc/passwd', 'No/Where', '..'].map(name => system.zone(name))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('is not read from what is no zone file', () => {
    expect(parseZone('x', Buffer.from('not a zone file at all'))).toBeUndefined();
  });
});

describe('a moment', () => {
  it('comes back from its text', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -62135596800n, max: 253402300799n }),
        fc.integer({ min: 0, max: 999_999_999 }),
        (seconds, nanosecond) => {
          const nanoseconds = seconds * 1_000_000_000n + BigInt(nanosecond);
          for (const layout of [
            '2006-01-02T15:04:05.999999999Z07:00',
            'Monday, 2 January 2006 3:04:05.000000000 PM -0700',
            '2006 002 15 04 05 .000000000',
          ]) {
            if (layout.startsWith('2006 002') && nanosecond !== 0) continue; // Go reads a fraction right after the seconds only
            const text = formatTime({ nanoseconds, zone: UTC }, layout);
            expect([layout, parseTime(layout, text, UTC).nanoseconds]).toEqual([layout, nanoseconds]);
          }
        },
      ),
    );
  });
});

describe('a duration', () => {
  it('comes back from its text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n) + 1n, max: (1n << 63n) - 1n }), nanoseconds => {
        expect(parseDuration(durationText(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });

  it('rounds half away from zero', () => {
    expect([14n, 15n, -14n, -15n].map(value => roundDuration(value, 10n))).toEqual([10n, 20n, -10n, -20n]);
  });
});
