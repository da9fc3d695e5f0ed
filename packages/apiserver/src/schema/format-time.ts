/** Formats `date`, `date-time` and `duration`. */

/** A day that exists: `2026-02-28`. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const parts = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time);
  return parts !== null && parts[1]! <= '23' && parts[2]! <= '59' && parts[3]! <= '59';
}

const UNITS = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', 'w', 'hr', 'wk'];
const UNIT_PREFIXES = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** Go's `1h30m`, or a number with a unit in words somewhere in the text: `22 ns`, `3 weeks`. */
export function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  for (const [, , unit] of text.matchAll(/(\d{1,18})\s*([A-Za-zµ]+)/g)) {
    const name = unit!.toLowerCase();
    if (UNITS.includes(name) || UNIT_PREFIXES.some(prefix => name.startsWith(prefix))) return true;
  }
  return false;
}
