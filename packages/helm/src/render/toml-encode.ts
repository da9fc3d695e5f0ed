/** TOML as Go's BurntSushi/toml writes it. */

import {
  DURATION,
  durationText,
  GoError,
  GoMap,
  GoNil,
  GoObject,
  GoSlice,
  Int,
  kindOf,
  sprintf,
  type Value,
} from '@capstan/gotemplate';

type Key = readonly string[];

/** Throws a GoError for what TOML cannot say: a null in a list, a list where a table must be. */
export function encodeToml(value: Value): string {
  const encoder = new Encoder();
  encoder.entry([], value);
  return encoder.output;
}

const isNothing = (value: Value): boolean =>
  value === undefined ||
  value === null ||
  value instanceof GoNil ||
  ((value instanceof GoMap || value instanceof GoSlice) && value.isNil);

const isTable = (value: Value): value is GoMap | GoObject => value instanceof GoMap || value instanceof GoObject;

/** A list all of whose elements are tables; a list with a null in it cannot be written at all. */
function isTableList(value: Value): value is GoSlice {
  if (!(value instanceof GoSlice) || value.isNil || value.items.length === 0) return false;
  let all = true;
  for (const item of value.items) {
    if (isNothing(item)) throw new GoError('toml: cannot encode array with nil element');
    // Lists within are looked through as well, for their nulls.
    if (item instanceof GoSlice) isTableList(item);
    if (!isTable(item)) all = false;
  }
  return all;
}

function rowsOf(table: GoMap | GoObject): (readonly [string, Value])[] {
  if (table instanceof GoMap) return table.keys().map(key => [key, table.get(key)] as const);
  return table.fields.filter(field => !field.hidden).map(field => [field.name, field.value] as const);
}

class Encoder {
  output = '';

  entry(key: Key, value: Value): void {
    if (isNothing(value)) return;
    if (isTable(value)) this.#table(key, value);
    else if (isTableList(value)) this.#tables(key, value);
    else if (key.length === 0) this.#element(value);
    else {
      this.output += `${indent(key)}${bare(key.at(-1)!)} = `;
      this.#element(value);
      this.output += '\n';
    }
  }

  #newline(): void {
    if (this.output !== '') this.output += '\n';
  }

  #table(key: Key, table: GoMap | GoObject): void {
    if (key.length === 1) this.#newline();
    if (key.length > 0) this.output += `${indent(key)}[${key.map(bare).join('.')}]\n`;
    this.#rows(key, table);
  }

  #tables(key: Key, list: GoSlice): void {
    if (key.length === 0) throw new GoError('toml: top-level values must be Go maps or structs');
    for (const item of list.items) {
      this.#newline();
      this.output += `${indent(key)}[[${key.map(bare).join('.')}]]\n`;
      this.#rows(key, item as GoMap);
    }
  }

  /** Plain values first: what comes after a table's head belongs to that table. */
  #rows(key: Key, table: GoMap | GoObject): void {
    const rows = rowsOf(table);
    const isSub = ([, value]: readonly [string, Value]) => !isNothing(value) && (isTable(value) || isTableList(value));
    for (const [name, value] of rows.filter(row => !isSub(row))) this.entry([...key, name], value);
    for (const [name, value] of rows.filter(isSub)) this.entry([...key, name], value);
  }

  #element(value: Value): void {
    if (typeof value === 'string') this.output += quoted(value);
    else if (typeof value === 'boolean') this.output += String(value);
    else if (typeof value === 'number') this.output += float(value);
    else if (value instanceof Int) {
      this.output += value.type === DURATION ? quoted(durationText(value.value)) : String(value.value);
    } else if (value instanceof GoSlice) this.#list(value);
    else if (isTable(value)) this.#inline(value);
    else throw new GoError(`unexpected type: ${kindOf(value)}`);
  }

  #list(list: GoSlice): void {
    this.output += '[';
    for (const [index, item] of list.items.entries()) {
      if (index > 0) this.output += ', ';
      this.#element(item);
    }
    this.output += ']';
  }

  #inline(table: GoMap | GoObject): void {
    this.output += '{';
    const rows = rowsOf(table);
    const isSub = ([, value]: readonly [string, Value]) => !isNothing(value) && (isTable(value) || isTableList(value));
    const direct = rows.filter(row => !isSub(row));
    const sub = rows.filter(isSub);
    this.#inlineRows(direct, sub.length > 0);
    this.#inlineRows(sub, false);
    this.output += '}';
  }

  #inlineRows(rows: readonly (readonly [string, Value])[], more: boolean): void {
    for (const [index, [name, value]] of rows.entries()) {
      if (isNothing(value)) continue;
      this.output += `${bare(name)} = `;
      this.#element(value);
      if (more || index < rows.length - 1) this.output += ', ';
    }
  }
}

const indent = (key: Key): string => '  '.repeat(Math.max(key.length - 1, 0));

const bare = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

const short: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function quoted(text: string): string {
  const escaped = (character: string) =>
    short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what TOML wants escaped
  return `"${text.replace(/[\u0000-\u001f"\\\u007f]/g, escaped)}"`;
}

/** Always with a point or an exponent, so that it stays a float when it is read again. */
function float(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = sprintf('%g', [value]);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
