/** `time.Time` and its kin as template values. */

import { MAX_INT64, MIN_INT64 } from '../text/number.ts';
import { quote } from '../text/quote.ts';
import { method, nameType } from '../value/function.ts';
import { type GoType, INT64 } from '../value/types.ts';
import { GoObject, Int, int } from '../value/values.ts';
import { durationText } from './duration.ts';
import { formatTime, RFC3339_NANO, timeText } from './format.ts';
import { MONTHS, WEEKDAYS } from './layout.ts';
import { type Civil, civil, type Moment, unixSeconds, utcSeconds, ZERO } from './moment.ts';
import { UTC } from './zone.ts';

const momentOf = (time: GoObject) => time.state as Moment;
const part = (name: keyof Civil) => method('', (time: GoObject) => int(civil(momentOf(time))[name] as number));

/** `time.Duration`. */
export const DURATION: GoType = {
  name: 'time.Duration',
  kind: 'int64',
  named: true,
  text: (value: Int) => durationText(value.value),
  methods: {
    String: method('', (value: Int) => durationText(value.value)),
    Seconds: method('', (value: Int) => Number(value.value) / 1e9),
    Minutes: method('', (value: Int) => Number(value.value) / 6e10),
    Hours: method('', (value: Int) => Number(value.value) / 3.6e12),
    Milliseconds: method('', (value: Int) => new Int(value.value / 1_000_000n, INT64)),
    Microseconds: method('', (value: Int) => new Int(value.value / 1_000n, INT64)),
    Nanoseconds: method('', (value: Int) => new Int(value.value, INT64)),
  },
};
nameType('duration', DURATION);

const enumeration = (name: string, names: readonly string[], first: number): GoType => ({
  name,
  kind: 'int',
  named: true,
  text: (value: Int) => names[Number(value.value) - first] ?? `%!${name.slice(5)}(${value.value})`,
  methods: { String: method('', (value: Int) => names[Number(value.value) - first] ?? '') },
});

const MONTH = enumeration('time.Month', MONTHS, 1);
const WEEKDAY = enumeration('time.Weekday', WEEKDAYS, 0);

/** The expression that makes the time in Go. */
function goText(moment: Moment): string {
  const { year, month, day, hour, minute, second, nanosecond } = civil(moment);
  const { name } = moment.zone;
  const zone = name === 'UTC' || name === 'Local' ? `time.${name}` : `time.Location(${quote(name)})`;
  return `time.Date(${year}, time.${MONTHS[month - 1]}, ${[day, hour, minute, second, nanosecond].join(', ')}, ${zone})`;
}

const difference = (a: Moment, b: Moment) => a.nanoseconds - b.nanoseconds;

/** `a.Sub(b)`: durations end at some 292 years. */
export function elapsed(a: bigint, b: bigint): bigint {
  const nanoseconds = a - b;
  return nanoseconds > MAX_INT64 ? MAX_INT64 : nanoseconds < MIN_INT64 ? MIN_INT64 : nanoseconds;
}

export const TIME: GoType = {
  name: 'time.Time',
  kind: 'struct',
  named: true,
  text: (time: GoObject) => timeText(momentOf(time)),
  goText: (time: GoObject) => goText(momentOf(time)),
  json: (time: GoObject) => `"${formatTime(momentOf(time), RFC3339_NANO)}"`,
  methods: {},
};
nameType('time', TIME);

// The methods name the type they belong to, so they are added once it has a name.
Object.assign(TIME.methods!, {
  Format: method('string', (time: GoObject, layout) => formatTime(momentOf(time), layout)),
  String: method('', (time: GoObject) => timeText(momentOf(time))),
  Unix: method('', (time: GoObject) => new Int(unixSeconds(momentOf(time)), INT64)),
  UnixMilli: method('', (time: GoObject) => new Int(momentOf(time).nanoseconds / 1_000_000n, INT64)),
  UnixNano: method('', (time: GoObject) => new Int(BigInt.asIntN(64, momentOf(time).nanoseconds), INT64)),
  Year: part('year'),
  Month: method('', (time: GoObject) => new Int(BigInt(civil(momentOf(time)).month), MONTH)),
  Day: part('day'),
  Weekday: method('', (time: GoObject) => new Int(BigInt(civil(momentOf(time)).weekday), WEEKDAY)),
  YearDay: part('yearDay'),
  Hour: part('hour'),
  Minute: part('minute'),
  Second: part('second'),
  Nanosecond: part('nanosecond'),
  UTC: method('', (time: GoObject) => makeTime({ ...momentOf(time), zone: UTC })),
  IsZero: method('', (time: GoObject) => momentOf(time).nanoseconds === ZERO.nanoseconds),
  Add: method('duration', (time: GoObject, duration) =>
    makeTime({ ...momentOf(time), nanoseconds: momentOf(time).nanoseconds + duration.value }),
  ),
  AddDate: method('int, int, int', (time: GoObject, years, months, days) =>
    makeTime(addDate(momentOf(time), years, months, days)),
  ),
  Sub: method(
    'time',
    (time: GoObject, other) => new Int(elapsed(momentOf(time).nanoseconds, momentOf(other).nanoseconds), DURATION),
  ),
  After: method('time', (time: GoObject, other) => difference(momentOf(time), momentOf(other)) > 0n),
  Before: method('time', (time: GoObject, other) => difference(momentOf(time), momentOf(other)) < 0n),
  Equal: method('time', (time: GoObject, other) => difference(momentOf(time), momentOf(other)) === 0n),
});

function addDate(moment: Moment, years: number, months: number, days: number): Moment {
  const { year, month, day, hour, minute, second, nanosecond, offset } = civil(moment);
  const seconds = utcSeconds(year + years, month + months, day + days, hour, minute, second) - BigInt(offset);
  const actual = moment.zone.at(seconds).offset;
  return { ...moment, nanoseconds: (seconds + BigInt(offset - actual)) * 1_000_000_000n + BigInt(nanosecond) };
}

export function makeTime(moment: Moment): GoObject {
  return new GoObject(TIME, [], moment);
}

/** The moment inside a `time.Time`, or nothing for other values. */
export function asMoment(value: unknown): Moment | undefined {
  return value instanceof GoObject && value.type === TIME ? momentOf(value) : undefined;
}
