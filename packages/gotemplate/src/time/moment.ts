/** A moment in a zone, and its parts on the calendar. */

import { UTC, type Zone } from './zone.ts';

export interface Moment {
  /** Since the epoch. */
  readonly nanoseconds: bigint;
  readonly zone: Zone;
}

/** Go's zero time: the first of January of the year 1. */
export const ZERO: Moment = { nanoseconds: -62135596800n * 1_000_000_000n, zone: UTC };

export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  readonly offset: number;
  readonly abbreviation: string;
}

const giga = 1_000_000_000n;

export function unixSeconds({ nanoseconds }: Moment): bigint {
  const seconds = nanoseconds / giga;
  return nanoseconds < 0n && nanoseconds % giga !== 0n ? seconds - 1n : seconds;
}

export function civil(moment: Moment): Civil {
  const seconds = unixSeconds(moment);
  const { offset, abbreviation } = moment.zone.at(seconds);
  const date = new Date(Number(seconds + BigInt(offset)) * 1000);
  const year = date.getUTCFullYear();
  const midnight = Date.UTC(2000, date.getUTCMonth(), date.getUTCDate());
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const dayOfLeapYear = (midnight - Date.UTC(2000, 0, 1)) / 86_400_000 + 1;
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay: isLeap || date.getUTCMonth() < 2 ? dayOfLeapYear : dayOfLeapYear - 1,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond: Number(moment.nanoseconds - seconds * giga),
    offset,
    abbreviation,
  };
}

/** Seconds since the epoch of a date and time read as UTC; fields may overflow into one another. */
export function utcSeconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return BigInt(date.getTime() / 1000);
}

export function daysIn(month: number, year: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
