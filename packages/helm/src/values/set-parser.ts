/**
 * Helm's grammar of `--set`: `name=value,outer.inner=value,list[2].key=value,names={a,b}`. A backslash quotes. The parser changes
 * the table it is given, key by key, also where a later key fails: so does Helm.
 */

import { go, sprintf } from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { EndOfText, SetScanner } from './set-scanner.ts';
import { leadingJson, type ReadText, textValue, typedValue } from './set-values.ts';
import { emptyValues, isTable, type MutableValues, type ValuesNode } from './values.ts';

/** Helm's bounds. */
const maxIndex = 65536;
const maxNested = 30;

export type SetKind = 'set' | 'set-string' | 'set-json' | 'set-file' | 'set-literal';

export interface SetOptions {
  /** Answers `set-file`. */
  readonly readFile?: ReadText;
  /** Helm 4 takes an index that is never closed for the end of the text, Helm 3 for a mistake. */
  readonly helm?: HelmVersion;
}

/** Puts what a text says into a table. */
export function applySet(text: string, kind: SetKind, target: MutableValues, options: SetOptions = {}): void {
  new SetParser(text, kind, options).parse(target);
}

const invalid = (message: string): HelmError => new HelmError('ValuesInvalid', message);

class SetParser {
  readonly #scanner: SetScanner;
  readonly #kind: SetKind;
  readonly #read: ReadText;
  readonly #literal: boolean;
  readonly #helm: HelmVersion;

  constructor(text: string, kind: SetKind, { readFile = textValue, helm = defaultHelmVersion }: SetOptions) {
    this.#scanner = new SetScanner(text);
    this.#helm = helm;
    this.#kind = kind;
    this.#literal = kind === 'set-literal';
    this.#read = kind === 'set' ? typedValue : kind === 'set-file' ? readFile : textValue;
  }

  parse(target: MutableValues): void {
    try {
      for (;;) this.#key(target, 0);
    } catch (error) {
      if (!(error instanceof EndOfText)) throw error;
    }
  }

  #key(table: MutableValues, nested: number): void {
    const { text: key, stop } = this.#scanner.until(this.#literal ? '=[.' : '=[,.', this.#literal);
    switch (stop) {
      case undefined:
        if (key === '') throw new EndOfText();
        throw invalid(`key ${JSON.stringify(key)} has no value`);
      case '[': {
        const index = this.#index();
        const list = listIn(table, key);
        const kept = { list };
        try {
          this.#item(kept, index, nested);
        } finally {
          assign(table, key, kept.list);
        }
        break;
      }
      case '=':
        this.#value(value => assign(table, key, value));
        break;
      case ',':
        assign(table, key, '');
        throw invalid(`key ${JSON.stringify(key)} has no value (cannot end with ,)`);
      default:
        this.#inner(table, key, nested + 1);
    }
  }

  /** The number up to `]`. */
  #index(): number {
    const { text, stop } = this.#scanner.until(']', this.#literal);
    if (stop === undefined && this.#helm === 4) throw new EndOfText();
    const fail = (reason: string) => invalid(`error parsing index: ${reason}`);
    if (stop === undefined) throw fail('EOF');
    const parsing = `strconv.Atoi: parsing ${JSON.stringify(text)}`;
    if (!/^[+-]?[0-9]+$/.test(text)) throw fail(`${parsing}: invalid syntax`);
    if (!Number.isSafeInteger(Number(text))) throw fail(`${parsing}: value out of range`);
    return Number(text);
  }

  /** After `key.`: a table of its own. */
  #inner(table: MutableValues, key: string, nested: number): void {
    if (nested > maxNested) {
      throw invalid(`value name nested level is greater than maximum supported nested level of ${maxNested}`);
    }
    const inner = tableIn(table, key);
    try {
      this.#key(inner, nested);
    } finally {
      if (Object.keys(inner).length > 0) assign(table, key, inner);
    }
    if (Object.keys(inner).length === 0) throw invalid(`key map ${JSON.stringify(key)} has no value`);
  }

  /** After `=`. */
  #value(put: (value: ValuesNode) => void): void {
    if (this.#literal) {
      put(this.#scanner.until('', true).text);
      return;
    }
    if (this.#kind === 'set-json') {
      if (this.#scanner.skipEmpty()) {
        put(null);
        return;
      }
      const { value, consumed } = leadingJson(this.#scanner.rest());
      put(value);
      this.#scanner.skip(consumed);
      this.#scanner.skipEmpty();
      return;
    }
    const first = this.#scanner.peek();
    if (first === undefined) {
      put('');
      throw new EndOfText();
    }
    put(first === '{' ? this.#list() : this.#read(this.#scanner.until(',').text));
  }

  /** `{a,b}`. */
  #list(): ValuesNode[] {
    this.#scanner.next();
    const list: ValuesNode[] = [];
    for (;;) {
      const { text, stop } = this.#scanner.until(',}');
      if (stop === undefined) throw invalid("list must terminate with '}'");
      list.push(this.#read(text));
      if (stop === '}') {
        if (this.#scanner.peek() === ',') this.#scanner.next();
        return list;
      }
    }
  }

  /** After `[index]`. */
  #item(kept: { list: ValuesNode[] }, index: number, nested: number): void {
    if (index < 0) throw invalid(`negative ${index} index not allowed`);
    const { text, stop } = this.#scanner.until('[.=', this.#literal);
    if (text !== '') throw invalid(`unexpected data at end of array index: ${quotedRunes(text)}`);
    const put = (value: ValuesNode) => {
      kept.list = withItem(kept.list, index, value);
    };
    switch (stop) {
      case undefined:
        throw new EndOfText();
      case '=':
        try {
          this.#value(put);
        } catch (error) {
          // An index with nothing after `=` is an empty text, and no end of everything.
          if (!(error instanceof EndOfText)) throw error;
        }
        break;
      case '[': {
        const next = this.#index();
        const existing = kept.list[index] ?? null;
        if (existing !== null && !Array.isArray(existing)) throw conversion(existing, '[]interface {}');
        const inner = { list: [...((existing ?? []) as ValuesNode[])] };
        this.#item(inner, next, nested);
        put(inner.list);
        break;
      }
      default: {
        const existing = kept.list[index];
        const inner = isTable(existing) ? existing : emptyValues();
        if (kept.list.length > index) kept.list[index] = inner;
        this.#key(inner, nested);
        put(inner);
      }
    }
  }
}

/** Go's `%q` of a list of characters. */
const quotedRunes = (text: string): string =>
  `[${[...text].map(rune => sprintf('%q', [go.int(rune.codePointAt(0)!)])).join(' ')}]`;

/** A key without a name sets nothing. */
function assign(table: MutableValues, key: string, value: ValuesNode): void {
  if (key !== '') table[key] = value;
}

function withItem(list: readonly ValuesNode[], index: number, value: ValuesNode): ValuesNode[] {
  if (index > maxIndex) {
    throw invalid(`index of ${index} is greater than maximum supported index of ${maxIndex}`);
  }
  const longer = [...list];
  while (longer.length <= index) longer.push(null);
  longer[index] = value;
  return longer;
}

function tableIn(table: MutableValues, key: string): MutableValues {
  if (!Object.hasOwn(table, key)) return emptyValues();
  const existing = table[key]!;
  if (!isTable(existing)) throw conversion(existing, 'map[string]interface {}');
  return existing;
}

function listIn(table: MutableValues, key: string): ValuesNode[] {
  if (!Object.hasOwn(table, key)) return [];
  const existing = table[key]!;
  if (!Array.isArray(existing)) throw conversion(existing, '[]interface {}');
  return [...existing];
}

/** Go's panic where a value of one kind stands where another is wanted, as Helm words it. */
function conversion(found: ValuesNode, wanted: string): HelmError {
  const type =
    found === null
      ? 'nil'
      : Array.isArray(found)
        ? '[]interface {}'
        : typeof found === 'object'
          ? 'map[string]interface {}'
          : ({ boolean: 'bool', number: 'float64', bigint: 'int64', string: 'string' } as Record<string, string>)[
              typeof found
            ];
  return invalid(`unable to parse key: interface conversion: interface {} is ${type}, not ${wanted}`);
}
