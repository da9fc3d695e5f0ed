/** Go's `json.Unmarshal` into an interface, with the messages of its scanner. */

import { GoError } from '../errors.ts';
import { quoteRune } from '../text/quote.ts';
import { GoMap, list, type Value } from '../value/values.ts';

/** Go's bound on nesting. */
const maxDepth = 10_000;
const whitespace = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Throws a GoError where the text is not JSON. */
export function decodeJson(text: string): Value {
  const decoder = new Decoder(text);
  const value = decoder.value('looking for beginning of value');
  decoder.end();
  return value;
}

class Decoder {
  readonly #text: string;
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#space();
    if (this.#position < this.#text.length) this.#fail('after top-level value');
  }

  #space(): void {
    whitespace.lastIndex = this.#position;
    whitespace.test(this.#text);
    this.#position = whitespace.lastIndex;
  }

  #fail(context: string): never {
    const code = this.#text.codePointAt(this.#position);
    if (code === undefined) {
      // Go's scanner sees one more space at the end, which only some places take amiss.
      if (!/literal|escape|decimal/.test(context) || context === 'in string literal')
        throw new GoError('unexpected end of JSON input');
      throw new GoError(`invalid character ' ' ${context}`);
    }
    // The scanner sees bytes: of a longer character, the first.
    const byte =
      code < 0x80
        ? code
        : code < 0x800
          ? 0xc0 | (code >> 6)
          : code < 0x10000
            ? 0xe0 | (code >> 12)
            : 0xf0 | (code >> 18);
    const shown = byte === 0x27 ? `'\\''` : byte === 0x22 ? `'"'` : quoteRune(byte);
    throw new GoError(`invalid character ${shown} ${context}`);
  }

  value(context: string): Value {
    this.#space();
    switch (this.#text[this.#position]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
    }
    return this.#number(context);
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth) throw new GoError('exceeded max depth');
    this.#position++;
    const value = read();
    this.#depth--;
    return value;
  }

  #word(word: string, value: Value): Value {
    for (let index = 1; index < word.length; index++) {
      this.#position++;
      if (this.#text[this.#position] !== word[index])
        this.#fail(`in literal ${word} (expecting ${quoteRune(word.charCodeAt(index))})`);
    }
    this.#position++;
    return value;
  }

  #number(context: string): number {
    const start = this.#position;
    const first = this.#text[start];
    if (first !== '-' && !(first !== undefined && first >= '0' && first <= '9')) this.#fail(context);
    number.lastIndex = start;
    if (!number.test(this.#text)) {
      this.#position++;
      this.#fail('in numeric literal');
    }
    this.#position = number.lastIndex;
    const rest = this.#text[this.#position];
    const soFar = this.#text.slice(start, this.#position);
    if (rest === '.' && !/[.eE]/.test(soFar)) {
      this.#position++;
      this.#fail('after decimal point in numeric literal');
    }
    if ((rest === 'e' || rest === 'E') && !/[eE]/.test(soFar)) {
      this.#position++;
      if (/[+-]/.test(this.#text[this.#position] ?? '')) this.#position++;
      this.#fail('in exponent of numeric literal');
    }
    const value = Number(soFar);
    if (!Number.isFinite(value))
      throw new GoError(`json: cannot unmarshal number ${soFar} into Go value of type float64`);
    return value;
  }

  #array(): Value {
    const items: Value[] = [];
    this.#space();
    if (this.#text[this.#position] === ']') {
      this.#position++;
      return list(items);
    }
    for (;;) {
      items.push(this.value('looking for beginning of value'));
      this.#space();
      const next = this.#text[this.#position];
      if (next !== ',' && next !== ']') this.#fail('after array element');
      this.#position++;
      if (next === ']') return list(items);
    }
  }

  #object(): Value {
    const map = new GoMap();
    this.#space();
    if (this.#text[this.#position] === '}') {
      this.#position++;
      return map;
    }
    for (;;) {
      this.#space();
      if (this.#text[this.#position] !== '"') this.#fail('looking for beginning of object key string');
      const key = this.#string();
      this.#space();
      if (this.#text[this.#position] !== ':') this.#fail('after object key');
      this.#position++;
      map.set(key, this.value('looking for beginning of value'));
      this.#space();
      const next = this.#text[this.#position];
      if (next !== ',' && next !== '}') this.#fail('after object key:value pair');
      this.#position++;
      if (next === '}') return map;
    }
  }

  #string(): string {
    const start = this.#position;
    let escapes = false;
    for (this.#position++; ; this.#position++) {
      const character = this.#text[this.#position];
      if (character === undefined || character < ' ') this.#fail('in string literal');
      if (character === '"') break;
      if (character !== '\\') continue;
      escapes = true;
      this.#escape();
    }
    const raw = this.#text.slice(start, ++this.#position);
    // What is not UTF-8 becomes U+FFFD, as do lone surrogates.
    const text: string = escapes ? JSON.parse(raw) : raw.slice(1, -1);
    return text.isWellFormed() ? text : text.toWellFormed();
  }

  #escape(): void {
    const letter = this.#text[++this.#position] ?? '';
    if (letter === 'u') {
      for (let count = 0; count < 4; count++) {
        this.#position++;
        if (!/[0-9a-fA-F]/.test(this.#text[this.#position] ?? '')) this.#fail('in \\u hexadecimal character escape');
      }
    } else if (letter === '' || !'bfnrt\\/"'.includes(letter)) this.#fail('in string escape code');
  }
}
