/** `time.ParseInLocation`, with its messages. */

import { GoError } from '../errors.ts';
import { MONTHS, type Piece, parseLayout, WEEKDAYS } from './layout.ts';
import { daysIn, type Moment, utcSeconds } from './moment.ts';
import { quoteBytes } from './quote.ts';
import { fixedZone, UTC, type Zone } from './zone.ts';

interface Fields {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  isPm: boolean;
  isAm: boolean;
  offset: number | undefined;
  abbreviation: string;
  isUtc: boolean;
}

/** Marks that a value does not look like its element. */
class Mismatch extends Error {}
/** Marks that a value is beyond what its element can be. */
class OutOfRange extends Error {}

/** Parses a time; where the text names no zone it is in `local`. */
export function parseTime(layout: string, value: string, local: Zone): Moment {
  const fields: Fields = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    isPm: false,
    isAm: false,
    offset: undefined,
    abbreviation: '',
    isUtc: false,
  };
  const fail = (message: string): never => {
    throw new GoError(`parsing time ${quoteBytes(value)}${message}`);
  };
  const cannot = (rest: string, element: string): never =>
    fail(` as ${quoteBytes(layout)}: cannot parse ${quoteBytes(rest)} as ${quoteBytes(element)}`);

  let rest = value;
  const pieces = parseLayout(layout);
  for (const [index, piece] of pieces.entries()) {
    const before = rest;
    try {
      rest = read(piece, rest, fields, pieces[index + 1]);
    } catch (error) {
      if (error instanceof OutOfRange) fail(`: ${error.message} out of range`);
      if (error instanceof Mismatch) cannot(piece.kind === 'text' ? error.message : before, piece.text);
      throw error;
    }
  }
  if (rest !== '') fail(`: extra text: ${quoteBytes(rest)}`);
  return finish(fields, local, fail);
}

function finish(fields: Fields, local: Zone, fail: (message: string) => never): Moment {
  if (fields.isPm && fields.hour < 12) fields.hour += 12;
  else if (fields.isAm && fields.hour === 12) fields.hour = 0;
  if (fields.yearDay >= 0) resolveYearDay(fields, fail);
  const month = fields.month < 0 ? 1 : fields.month;
  const day = fields.day < 0 ? 1 : fields.day;
  if (day < 1 || day > daysIn(month, fields.year)) fail(': day out of range');
  const seconds = utcSeconds(fields.year, month, day, fields.hour, fields.minute, fields.second);
  const at = (moment: bigint, zone: Zone): Moment => ({
    nanoseconds: moment * 1_000_000_000n + BigInt(fields.nanosecond),
    zone,
  });
  if (fields.isUtc) return at(seconds, UTC);
  if (fields.offset !== undefined) {
    const moment = seconds - BigInt(fields.offset);
    const here = local.at(moment);
    const isLocal =
      here.offset === fields.offset && (fields.abbreviation === '' || here.abbreviation === fields.abbreviation);
    return at(moment, isLocal ? local : fixedZone(fields.abbreviation, fields.offset));
  }
  const localOffset = local.at(seconds - BigInt(local.at(seconds).offset));
  if (fields.abbreviation && fields.abbreviation !== localOffset.abbreviation) {
    const hours = /^GMT([+-][0-9]+)$/.exec(fields.abbreviation);
    const offset = hours ? Number(hours[1]) * 3600 : 0;
    return at(seconds - BigInt(offset), fixedZone(fields.abbreviation, offset));
  }
  return at(seconds - BigInt(localOffset.offset), local);
}

function resolveYearDay(fields: Fields, fail: (message: string) => never): void {
  const isLeap = daysIn(2, fields.year) === 29;
  if (fields.yearDay < 1 || fields.yearDay > (isLeap ? 366 : 365)) fail(': day-of-year out of range');
  let [month, day] = [1, fields.yearDay];
  while (day > daysIn(month, fields.year)) day -= daysIn(month++, fields.year);
  if (fields.month >= 0 && fields.month !== month) fail(': day-of-year does not match month');
  if (fields.day >= 0 && fields.day !== day) fail(': day-of-year does not match day');
  fields.month = month;
  fields.day = day;
}

/** Takes what a pattern matches off the front. */
function take(rest: string, pattern: RegExp): [string, string] {
  const match = pattern.exec(rest);
  if (!match) throw new Mismatch();
  return [match[0], rest.slice(match[0].length)];
}

const oneOrTwo = /^[0-9]{1,2}/;
const exactlyTwo = /^[0-9]{2}/;

function number(rest: string, pattern: RegExp, low: number, high: number, name: string): [number, string] {
  const [digits, remaining] = take(rest, pattern);
  const value = Number(digits);
  if (value < low || value > high) throw new OutOfRange(name);
  return [value, remaining];
}

function named(rest: string, names: readonly string[], length?: number): [number, string] {
  for (const [index, name] of names.entries()) {
    const wanted = name.slice(0, length);
    if (rest.slice(0, wanted.length).toLowerCase() === wanted.toLowerCase()) return [index, rest.slice(wanted.length)];
  }
  throw new Mismatch();
}

/** Text must match, but a run of spaces may be of another length. */
function readText(text: string, rest: string): string {
  let remaining = rest;
  for (let index = 0; index < text.length; ) {
    if (text[index] === ' ') {
      if (remaining !== '' && remaining[0] !== ' ') throw new Mismatch(remaining);
      while (text[index] === ' ') index++;
      remaining = remaining.replace(/^ +/, '');
      continue;
    }
    if (remaining[0] !== text[index]) throw new Mismatch(remaining);
    remaining = remaining.slice(1);
    index++;
  }
  return remaining;
}

function read(piece: Piece, rest: string, fields: Fields, next: Piece | undefined): string {
  if (piece.kind === 'text') return readText(piece.text, rest);
  if (piece.kind === 'fraction') return readFraction(piece.text, rest, fields);
  if (/^[Z-]07/.test(piece.text)) return readOffset(piece.text, rest, fields);
  let remaining = rest;
  switch (piece.text) {
    case '2006':
      [fields.year, remaining] = number(rest, /^[0-9]{4}/, 0, 9999, 'year');
      break;
    case '06': {
      const [year, after] = number(rest, exactlyTwo, 0, 99, 'year');
      fields.year = year >= 69 ? 1900 + year : 2000 + year;
      remaining = after;
      break;
    }
    case 'January':
    case 'Jan': {
      const [month, after] = named(rest, MONTHS, piece.text === 'Jan' ? 3 : undefined);
      fields.month = month + 1;
      remaining = after;
      break;
    }
    case '1':
    case '01':
      [fields.month, remaining] = number(rest, piece.text === '1' ? oneOrTwo : exactlyTwo, 1, 12, 'month');
      break;
    case 'Monday':
    case 'Mon':
      [, remaining] = named(rest, WEEKDAYS, piece.text === 'Mon' ? 3 : undefined);
      break;
    case '2':
    case '_2':
    case '02':
      // The day is checked against its month at the end.
      [fields.day, remaining] = number(
        piece.text === '_2' ? rest.replace(/^ /, '') : rest,
        piece.text === '02' ? exactlyTwo : oneOrTwo,
        0,
        99,
        'day',
      );
      break;
    case '002':
    case '__2':
      [fields.yearDay, remaining] = number(rest.replace(/^ {0,2}/, ''), /^[0-9]{1,3}/, 0, 999, 'day-of-year');
      break;
    case '15':
      [fields.hour, remaining] = number(rest, oneOrTwo, 0, 23, 'hour');
      break;
    case '3':
    case '03':
      [fields.hour, remaining] = number(rest, piece.text === '3' ? oneOrTwo : exactlyTwo, 0, 12, 'hour');
      break;
    case '4':
    case '04':
      [fields.minute, remaining] = number(rest, piece.text === '4' ? oneOrTwo : exactlyTwo, 0, 59, 'minute');
      break;
    case '5':
    case '05':
      [fields.second, remaining] = number(rest, piece.text === '5' ? oneOrTwo : exactlyTwo, 0, 59, 'second');
      // Go takes a fraction of a second even where the layout has none.
      if (/^[.,][0-9]/.test(remaining) && next?.kind !== 'fraction') {
        const [digits, after] = take(remaining, /^[.,][0-9]+/);
        fields.nanosecond = nanoseconds(digits.slice(1));
        remaining = after;
      }
      break;
    case 'PM':
    case 'pm': {
      const [half, after] = take(rest, piece.text === 'PM' ? /^[AP]M/ : /^[ap]m/);
      fields.isPm = /p/i.test(half);
      fields.isAm = !fields.isPm;
      remaining = after;
      break;
    }
    case 'MST':
      remaining = readAbbreviation(rest, fields);
      break;
  }
  return remaining;
}

const nanoseconds = (digits: string) => Number(digits.slice(0, 9).padEnd(9, '0'));

function readFraction(text: string, rest: string, fields: Fields): string {
  if (text[1] === '0') {
    const [digits, remaining] = take(rest, new RegExp(`^[.,][0-9]{${text.length - 1}}`));
    fields.nanosecond = nanoseconds(digits.slice(1));
    return remaining;
  }
  const match = /^[.,][0-9]+/.exec(rest);
  if (!match) return rest;
  fields.nanosecond = nanoseconds(match[0].slice(1));
  return rest.slice(match[0].length);
}

function readOffset(style: string, rest: string, fields: Fields): string {
  if (style[0] === 'Z' && rest[0] === 'Z') {
    fields.isUtc = true;
    return rest.slice(1);
  }
  const separator = style.includes(':') ? ':' : '';
  const parts = style.length > 6 ? 3 : style.length > 3 ? 2 : 1;
  const pattern = new RegExp(`^([+-])${Array.from({ length: parts }, () => '([0-9]{2})').join(separator)}`);
  const match = pattern.exec(rest);
  if (!match) throw new Mismatch();
  const [hours, minutes, seconds] = [match[2], match[3], match[4]].map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (hours > 24) throw new OutOfRange('time zone offset hour');
  if (minutes > 60) throw new OutOfRange('time zone offset minute');
  if (seconds > 60) throw new OutOfRange('time zone offset second');
  fields.offset = (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  return rest.slice(match[0].length);
}

function readAbbreviation(rest: string, fields: Fields): string {
  if (rest.startsWith('UTC')) {
    fields.isUtc = true;
    return rest.slice(3);
  }
  const [name, remaining] = take(rest, /^(GMT[+-][0-9]{1,2}|[+-][0-9]{2}|ChST|MeST|[A-Z]{3,5}(?![A-Z]))/);
  fields.abbreviation = name;
  return remaining;
}
