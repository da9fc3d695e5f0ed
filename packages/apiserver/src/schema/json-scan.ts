/** JSON text looked at byte by byte: how deep it is, which keys come twice, what Go says is wrong with it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The deepest nesting and the number of keys, without building anything. Of broken JSON, a number of some sort. */
export function surveyJson(bytes: Uint8Array): { readonly depth: number; readonly keys: number } {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x3a: // :
        keys++;
        break;
    }
  }
  return { depth: deepest, keys };
}

interface Frame {
  readonly path: string;
  readonly keys: Set<string> | undefined;
  /** Of the field or item being read. */
  key: string;
  index: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs;

/** `duplicate field "spec.replicas"`, once a key, in the order of the document. The text is valid JSON. */
export function findDuplicates(text: string): string[] {
  const found = new Set<string>();
  const stack: Frame[] = [];
  let expectsKey = false;
  const enter = (keys: Set<string> | undefined) => {
    const parent = stack.at(-1);
    stack.push({ path: parent === undefined ? '' : pathIn(parent), keys, key: '', index: 0 });
    expectsKey = keys !== undefined;
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = stack.at(-1);
    if (token === '{') enter(new Set());
    else if (token === '[') enter(undefined);
    else if (token === '}' || token === ']') {
      stack.pop();
      expectsKey = false;
    } else if (token === ',') {
      if (frame?.keys === undefined && frame !== undefined) frame.index++;
      expectsKey = frame?.keys !== undefined;
    } else if (token !== ':' && expectsKey && frame?.keys !== undefined) {
      frame.key = JSON.parse(token) as string;
      if (frame.keys.has(frame.key)) found.add(`duplicate field "${pathIn(frame)}"`);
      frame.keys.add(frame.key);
      expectsKey = false;
    }
  }
  return [...found];
}

function pathIn(frame: Frame): string {
  if (frame.keys === undefined) return `${frame.path}[${frame.index}]`;
  return frame.path === '' ? frame.key : `${frame.path}.${frame.key}`;
}

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
    const quoted = char === "'" ? "\\'" : char === '"' ? '"' : JSON.stringify(char).slice(1, -1);
    throw new Found(`invalid character '${quoted}' ${context}`);
  }
}

const isDigit = (char: string): boolean => char >= '0' && char <= '9';
