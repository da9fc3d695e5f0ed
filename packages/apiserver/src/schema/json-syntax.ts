import { goQuote } from './go-text.ts';

/** What Go's scanner says about text that is not JSON. */
export function syntaxError(text: string): string {
  const scanner = new GoScanner(text);
  try {
    scanner.value('looking for beginning of value');
    scanner.end();
  } catch (error) {
    if (error instanceof Found) return error.message;
    if (error instanceof RangeError) return 'exceeded max depth';
    throw error;
  }
  return 'invalid JSON';
}

class Found extends Error {}

class GoScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(context: string): void {
    const char = this.#next();
    if (char === '{') this.#object();
    else if (char === '[') this.#array();
    else if (char === '"') this.#string();
    else if (char === '-' || (char >= '0' && char <= '9')) this.#number(char);
    else if (char === 't') this.#literal('true');
    else if (char === 'f') this.#literal('false');
    else if (char === 'n') this.#literal('null');
    else this.#fail(char, context);
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail(this.#char(), 'after top-level value');
  }

  #object(): void {
    let char = this.#next();
    if (char === '}') return;
    for (;;) {
      if (char !== '"') this.#fail(char, 'looking for beginning of object key string');
      this.#string();
      char = this.#next();
      if (char !== ':') this.#fail(char, 'after object key');
      this.value('looking for beginning of value');
      char = this.#next();
      if (char === '}') return;
      if (char !== ',') this.#fail(char, 'after object key:value pair');
      char = this.#next();
    }
  }

  #array(): void {
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return;
    }
    for (;;) {
      this.value('looking for beginning of value');
      const char = this.#next();
      if (char === ']') return;
      if (char !== ',') this.#fail(char, 'after array element');
    }
  }

  #string(): void {
    for (;;) {
      const char = this.#char();
      if (char === '"') return;
      if (char < ' ') this.#fail(char, 'in string literal');
      if (char !== '\\') continue;
      const escaped = this.#char();
      if (escaped === 'u') {
        for (let i = 0; i < 4; i++) {
          const digit = this.#char();
          if (!/[0-9a-fA-F]/.test(digit)) this.#fail(digit, 'in \\u hexadecimal character escape');
        }
      } else if (!'bfnrt\\/"'.includes(escaped)) {
        this.#fail(escaped, 'in string escape code');
      }
    }
  }

  #number(first: string): void {
    let char = first;
    if (char === '-') {
      char = this.#char();
      if (!isDigit(char)) this.#fail(char, 'in numeric literal');
    }
    if (char !== '0') this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at++;
      char = this.#char();
      if (!isDigit(char)) this.#fail(char, 'after decimal point in numeric literal');
      this.#digits();
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++;
      char = this.#char();
      if (char === '+' || char === '-') char = this.#char();
      if (!isDigit(char)) this.#fail(char, 'in exponent of numeric literal');
      this.#digits();
    }
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++;
  }

  #literal(word: string): void {
    for (const wanted of word.slice(1)) {
      const char = this.#char();
      if (char !== wanted) this.#fail(char, `in literal ${word} (expecting '${wanted}')`);
    }
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  /** The next character that is no space. */
  #next(): string {
    this.#space();
    return this.#char();
  }

  #char(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new Found('unexpected end of JSON input');
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #fail(char: string, context: string): never {
    const quoted = char === "'" ? "\\'" : char === '"' ? '"' : goQuote(char).slice(1, -1);
    throw new Found(`invalid character '${quoted}' ${context}`);
  }
}

const isDigit = (char: string): boolean => char >= '0' && char <= '9';
