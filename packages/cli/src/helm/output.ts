/** Printing as Helm prints. */
import { emitYaml, fromHost, type HostValue } from '@capstan/gotemplate';

export type OutputFormat = 'table' | 'json' | 'yaml';

export function print(text: string): void {
  process.stdout.write(text);
}

export function yamlOf(value: unknown): string {
  return emitYaml(fromHost(JSON.parse(JSON.stringify(value)) as HostValue));
}

/** @param table what is printed when neither JSON nor YAML is asked for */
export function printAs(format: OutputFormat, value: unknown, table: () => string): void {
  if (format === 'json') print(`${goJson(value)}\n`);
  else print(format === 'yaml' ? yamlOf(value) : table());
}

/** As Go writes JSON: safe inside HTML. */
function goJson(value: unknown): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped);
}

/** The maps in it with sorted keys, as Go writes them. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, withSortedKeys(field)]));
}

/** Cells padded to the width of their column and joined by tabs, the last one too: Helm's tables. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at]!)).join('\t');
  return `${rows.map(line).join('\n')}\n`;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Go's `Time.String()`: `2026-01-02 03:04:05.678 +0000 UTC`. */
export function goTime(text: string): string {
  const match = TIME.exec(text);
  if (!match) return text;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const shortened = fraction.replace(/0+$/, '').replace(/^\.$/, '');
  const offset = zone.replace(':', '');
  const place = zone === 'Z' ? '+0000 UTC' : `${offset} ${offset}`;
  return `${year}-${month}-${day} ${hour}:${minute}:${second}${shortened} ${place}`;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Go's `time.ANSIC`, in the zone that the time itself names: `Mon Jan  2 15:04:05 2006`. */
export function ansiTime(text: string): string {
  const match = TIME.exec(text);
  if (!match) return text;
  const [, year, month, day, hour, minute, second] = match;
  const weekday = DAYS[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()];
  return `${weekday} ${MONTHS[Number(month) - 1]} ${String(Number(day)).padStart(2)} ${hour}:${minute}:${second} ${year}`;
}
