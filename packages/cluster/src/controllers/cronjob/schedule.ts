/**
 * Cron schedules by the rules of Kubernetes' parser: five fields, names of months and days, steps, `?` for `*`, the usual macros and
 * `@every`. Where both the day of the month and the day of the week are given, either will do.
 */
import { type LocalTime, timeZone } from './local-time.ts';

export interface Schedule {
  /** The first time after this one, in milliseconds; `undefined` when there is none within five years. */
  next(after: number): number | undefined;
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Given as `*`: it restricts nothing. */
  readonly any: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const MINUTE = 60_000;
const YEARS = 5;

/** Throws an error that says what is wrong with the schedule or the zone. */
export function parseSchedule(text: string, zone?: string): Schedule {
  if (text.startsWith('@every ')) return every(text.slice('@every '.length));
  const fields = (MACROS[text] ?? text).split(/\s+/).filter(field => field !== '');
  if (fields.length !== 5) throw new Error(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  const [minute, hour, day, month, weekday] = [
    parseField(fields[0]!, 0, 59),
    parseField(fields[1]!, 0, 23),
    parseField(fields[2]!, 1, 31),
    parseField(fields[3]!, 1, 12, MONTHS, 1),
    parseField(fields[4]!, 0, 6, DAYS, 0),
  ] as const;
  const { localTime } = timeZone(zone);

  const isDay = (at: LocalTime): boolean => {
    if (!month.values.has(at.month)) return false;
    const [byDate, byWeekday] = [day.values.has(at.day), weekday.values.has(at.weekday)];
    return day.any || weekday.any ? byDate && byWeekday : byDate || byWeekday;
  };
  return {
    next(after) {
      let time = Math.floor(after / MINUTE) * MINUTE + MINUTE;
      const limit = localTime(time).year + YEARS;
      for (;;) {
        const at = localTime(time);
        if (at.year > limit) return undefined;
        if (!isDay(at)) time = nextMidnight(time, at, localTime);
        else if (!hour.values.has(at.hour)) time += (60 - at.minute) * MINUTE;
        else if (!minute.values.has(at.minute)) time += MINUTE;
        else return time;
      }
    },
  };
}

/** The day may have 23 or 25 hours: what was jumped too far is taken back, and too short a jump is followed by another. */
function nextMidnight(time: number, { hour, minute }: LocalTime, localTime: (time: number) => LocalTime): number {
  const jumped = time + (24 * 60 - hour * 60 - minute) * MINUTE;
  const there = localTime(jumped);
  return there.hour < 12 ? jumped - (there.hour * 60 + there.minute) * MINUTE : jumped;
}

function parseField(text: string, least: number, most: number, names: readonly string[] = [], first = 0): Field {
  const values = new Set<number>();
  let any = false;
  for (const part of text.split(',').filter(each => each !== '')) {
    const [range = '', step] = part.split('/');
    const everything = range === '*' || range === '?';
    const [low, high] = range.split('-');
    const start = everything ? least : parseEnd(low!, names, first);
    // `5/15` is from 5 to the end, in steps.
    const end = everything
      ? most
      : high !== undefined
        ? parseEnd(high, names, first)
        : step === undefined
          ? start
          : most;
    const width = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(start) || !Number.isInteger(end) || !(width >= 1)) throw new Error(`failed to parse ${part}`);
    if (start < least || end > most || start > end) throw new Error(`out of range (${least}-${most}): ${part}`);
    for (let value = start; value <= end; value += width) values.add(value);
    any ||= everything && width === 1;
  }
  return { values, any };
}

function parseEnd(text: string, names: readonly string[], first: number): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + first;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: MINUTE,
  h: 60 * MINUTE,
};

/** `@every 1h30m`: counted from the last time, in whole seconds, at least one. */
function every(duration: string): Schedule {
  const parts = [...duration.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration) {
    throw new Error(`failed to parse duration @every ${duration}`);
  }
  const total = parts.reduce((sum, [, value, unit]) => sum + Number(value) * UNITS[unit!]!, 0);
  const delay = Math.max(1000, Math.floor(total / 1000) * 1000);
  return { next: after => Math.floor(after / 1000) * 1000 + delay };
}
