import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { type Duration, NANOS_PER_SECOND, split, type Timestamp } from '../value/time.ts';
import { define, type Overload } from './overload.ts';

/** A point in time as a calendar and a clock on the wall show it; days and months count from zero where CEL's do. */
interface Calendar {
  readonly year: number;
  readonly month: number;
  readonly dayOfMonth: number;
  readonly dayOfYear: number;
  readonly dayOfWeek: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
}

const ACCESSORS: readonly (readonly [name: string, id: string, read: (calendar: Calendar) => number])[] = [
  ['getFullYear', 'year', calendar => calendar.year],
  ['getMonth', 'month', calendar => calendar.month],
  ['getDate', 'day_of_month_1_based', calendar => calendar.dayOfMonth + 1],
  ['getDayOfMonth', 'day_of_month', calendar => calendar.dayOfMonth],
  ['getDayOfYear', 'day_of_year', calendar => calendar.dayOfYear],
  ['getDayOfWeek', 'day_of_week', calendar => calendar.dayOfWeek],
  ['getHours', 'hours', calendar => calendar.hours],
  ['getMinutes', 'minutes', calendar => calendar.minutes],
  ['getSeconds', 'seconds', calendar => calendar.seconds],
  ['getMilliseconds', 'milliseconds', calendar => calendar.milliseconds],
];

export const times: readonly Overload[] = [
  ...ACCESSORS.flatMap(([name, id, read]) => [
    define(name, `timestamp_to_${id}`, '.(timestamp): int', ([timestamp]: [Timestamp]) =>
      BigInt(read(calendarOf(timestamp, 0))),
    ),
    define(
      name,
      id === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${id}_with_tz`,
      '.(timestamp, string): int',
      ([timestamp, zone]: [Timestamp, string], meter) => {
        const offset = zoneOffset(timestamp, zone, meter);
        return offset instanceof Failure ? offset : BigInt(read(calendarOf(timestamp, offset)));
      },
    ),
  ]),
  define(
    'getHours',
    'duration_to_hours',
    '.(duration): int',
    ([value]: [Duration]) => value.nanos / (3600n * NANOS_PER_SECOND),
  ),
  define(
    'getMinutes',
    'duration_to_minutes',
    '.(duration): int',
    ([value]: [Duration]) => value.nanos / (60n * NANOS_PER_SECOND),
  ),
  define(
    'getSeconds',
    'duration_to_seconds',
    '.(duration): int',
    ([value]: [Duration]) => value.nanos / NANOS_PER_SECOND,
  ),
  define(
    'getMilliseconds',
    'duration_to_milliseconds',
    '.(duration): int',
    ([value]: [Duration]) => value.nanos / 1_000_000n,
  ),
];

function calendarOf({ nanos }: Timestamp, offsetSeconds: number): Calendar {
  const { seconds, rest } = split(nanos);
  const local = new Date((Number(seconds) + offsetSeconds) * 1000);
  const newYear = new Date(0);
  newYear.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    dayOfMonth: local.getUTCDate() - 1,
    dayOfYear: Math.floor((local.getTime() - newYear.getTime()) / 86_400_000),
    dayOfWeek: local.getUTCDay(),
    hours: local.getUTCHours(),
    minutes: local.getUTCMinutes(),
    seconds: local.getUTCSeconds(),
    milliseconds: Number(rest / 1_000_000n),
  };
}

/** Building a formatter for a zone takes some tenths of a millisecond. */
const ZONE_STEPS = 10_000;

/** Seconds east of Greenwich at that moment: `+02:00`, `-08:00` or a name such as `Europe/Zurich`. */
function zoneOffset({ nanos }: Timestamp, zone: string, meter: Meter): number | Failure {
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed) {
    const magnitude = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    return fixed[1] === '-' ? -magnitude : magnitude;
  }
  if (zone === '' || zone === 'UTC') return 0;
  meter.step(ZONE_STEPS);
  const unknown = new Failure(`unknown time zone ${zone.slice(0, 64)}`);
  if (zone.length > 64) return unknown;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const moment = new Date(Number(split(nanos).seconds) * 1000);
    const name = format.formatToParts(moment).find(part => part.type === 'timeZoneName')?.value ?? 'GMT';
    const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
    if (!match) return unknown;
    const magnitude = Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
    return match[1] === '-' ? -magnitude : magnitude;
  } catch {
    return unknown;
  }
}
