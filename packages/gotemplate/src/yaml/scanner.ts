/**
 * Splits YAML into tokens, as libyaml and so go-yaml does: on demand, with the bookkeeping for keys that turn out to be keys only
 * at their colon, and for blocks that end where the indentation does.
 */

import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isEnd, isWord } from './characters.ts';
import { type Mark, yamlError } from './errors.ts';
import { scanBlockScalar, scanPlainScalar, scanQuotedScalar } from './scalars.ts';
import { scanDirective, scanTag } from './tags.ts';

export type TokenType =
  | 'streamEnd'
  | 'versionDirective'
  | 'tagDirective'
  | 'documentStart'
  | 'documentEnd'
  | 'blockSequenceStart'
  | 'blockMappingStart'
  | 'blockEnd'
  | 'flowSequenceStart'
  | 'flowSequenceEnd'
  | 'flowMappingStart'
  | 'flowMappingEnd'
  | 'blockEntry'
  | 'flowEntry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  readonly start: Mark;
  readonly end: Mark;
  /** The text of a scalar, the name of an anchor, the handle of a tag. */
  readonly value: string;
  /** Of a tag or tag directive: what follows the handle. */
  readonly suffix?: string;
  /** Of a scalar: without quotes and not a block. */
  readonly isPlain?: boolean;
}

/** Something that would be a key if a colon followed. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
}

const maxDepth = 10_000;
/** How far a colon may be from the start of its key. */
const maxKeyLength = 1024;
const notPlainStart = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map(character => character.charCodeAt(0)));

export class Scanner {
  readonly text: string;
  index = 0;
  line = 0;
  column = 0;
  /** The column of the innermost block. */
  indent = -1;
  flowLevel = 0;
  simpleKeyAllowed = true;
  readonly #indents: number[] = [];
  readonly #tokens: Token[] = [];
  #tokensTaken = 0;
  /** One for each open flow collection and one for the block around them. */
  readonly #simpleKeys: (SimpleKey | undefined)[] = [undefined];
  readonly #keysByToken = new Map<number, SimpleKey>();
  #ended = false;

  constructor(text: string) {
    this.text = text;
  }

  mark(): Mark {
    return { index: this.index, line: this.line, column: this.column };
  }

  fail(problem: string): never {
    throw yamlError(problem, 'scanner', this.mark());
  }

  /** The character at an offset from here; NaN at the end. */
  at(offset = 0): number {
    return this.text.charCodeAt(this.index + offset);
  }

  /** Moves over one character that is no break. */
  skip(): void {
    const isPair = (this.at() & 0xfc00) === 0xd800 && (this.at(1) & 0xfc00) === 0xdc00;
    this.index += isPair ? 2 : 1;
    this.column++;
  }

  /** Moves over characters on this line, up to an index. */
  advanceTo(index: number): void {
    for (let at = this.index; at < index; at++) {
      // The first half of a pair does not count.
      if ((this.text.charCodeAt(at) & 0xfc00) !== 0xd800) this.column++;
    }
    this.index = index;
  }

  /** Moves to the end of the line and returns what was there. */
  readLine(): string {
    const from = this.index;
    let end = from;
    while (!isBreakOrEnd(this.text.charCodeAt(end))) end++;
    this.advanceTo(end);
    return this.text.slice(from, end);
  }

  /** Moves over a line break and returns what it stands for. */
  readBreak(): string {
    const code = this.at();
    this.index += code === 0x0d && this.at(1) === 0x0a ? 2 : 1;
    this.column = 0;
    this.line++;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  skipBlanks(): void {
    while (isBlank(this.at())) this.skip();
  }

  skipComment(): void {
    if (this.at() === 0x23) this.readLine();
  }

  // The queue of tokens.

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[0]!;
  }

  take(): Token {
    const token = this.peek();
    this.#tokens.shift();
    this.#tokensTaken++;
    return token;
  }

  /** A token can be given out once it is certain that no key starts before it. */
  #needsMore(): boolean {
    if (this.#tokens.length === 0) return !this.#ended;
    const key = this.#keysByToken.get(this.#tokensTaken);
    return key !== undefined && this.#isValid(key);
  }

  #push(type: TokenType, start: Mark, value = ''): void {
    this.#tokens.push({ type, start, end: this.mark(), value });
  }

  #fetch() {
    this.#toNextToken();
    this.#unroll(this.column);
    const code = this.at();
    if (isEnd(code)) return this.#streamEnd();
    if (this.column === 0 && code === 0x25) return this.#directive();
    if (this.isDocumentIndicator('---')) return this.#documentIndicator('documentStart');
    if (this.isDocumentIndicator('...')) return this.#documentIndicator('documentEnd');
    const blankFollows = isBlankOrEnd(this.at(1));
    switch (String.fromCharCode(code)) {
      case '[':
        return this.#flowStart('flowSequenceStart');
      case '{':
        return this.#flowStart('flowMappingStart');
      case ']':
        return this.#flowEnd('flowSequenceEnd');
      case '}':
        return this.#flowEnd('flowMappingEnd');
      case ',':
        return this.#flowEntry();
      case '-':
        if (blankFollows) return this.#blockEntry();
        break;
      case '?':
        if (this.flowLevel > 0 || blankFollows) return this.#key();
        break;
      case ':':
        if (this.flowLevel > 0 || blankFollows) return this.#value();
        break;
      case '*':
        return this.#anchor('alias');
      case '&':
        return this.#anchor('anchor');
      case '!':
        return this.#scanned(scanTag);
      case '|':
      case '>':
        if (this.flowLevel > 0) break;
        this.#removeSimpleKey();
        this.simpleKeyAllowed = true;
        this.#tokens.push(scanBlockScalar(this));
        return;
      case "'":
      case '"':
        return this.#scanned(scanQuotedScalar);
    }
    const startsPlain =
      !(isBlankOrEnd(code) || notPlainStart.has(code)) ||
      (code === 0x2d && !isBlank(this.at(1))) ||
      (this.flowLevel === 0 && (code === 0x3f || code === 0x3a) && !blankFollows);
    if (!startsPlain) this.fail('found character that cannot start any token');
    // A plain scalar may itself say that keys are allowed again, so it cannot go through #scanned.
    this.#saveSimpleKey();
    this.simpleKeyAllowed = false;
    this.#tokens.push(scanPlainScalar(this));
  }

  isDocumentIndicator(marker: '---' | '...'): boolean {
    return this.column === 0 && this.text.startsWith(marker, this.index) && isBlankOrEnd(this.at(3));
  }

  #scanned(scan: (scanner: Scanner) => Token): void {
    this.#saveSimpleKey();
    this.simpleKeyAllowed = false;
    this.#tokens.push(scan(this));
  }

  #toNextToken(): void {
    for (;;) {
      if (this.column === 0 && this.at() === 0xfeff) this.skip();
      while (this.at() === 0x20 || ((this.flowLevel > 0 || !this.simpleKeyAllowed) && this.at() === 0x09)) this.skip();
      this.skipComment();
      if (!isBreak(this.at())) return;
      this.readBreak();
      if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    }
  }

  // Keys.

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.mark.line >= this.line && key.mark.index + maxKeyLength >= this.index) return true;
    if (key.required) throw yamlError("could not find expected ':'", 'scanner', this.mark(), key.mark);
    key.possible = false;
    return false;
  }

  #saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    const required = this.flowLevel === 0 && this.indent === this.column;
    this.#removeSimpleKey();
    const tokenNumber = this.#tokensTaken + this.#tokens.length;
    const key = { possible: true, required, tokenNumber, mark: this.mark() };
    this.#simpleKeys[this.#simpleKeys.length - 1] = key;
    this.#keysByToken.set(tokenNumber, key);
  }

  #removeSimpleKey(): void {
    const key = this.#simpleKeys.at(-1);
    if (!key?.possible) return;
    if (key.required) throw yamlError("could not find expected ':'", 'scanner', this.mark(), key.mark);
    key.possible = false;
    this.#keysByToken.delete(key.tokenNumber);
  }

  // Indentation.

  #roll(column: number, tokenNumber: number | undefined, type: TokenType, mark: Mark): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.#indents.push(this.indent);
    this.indent = column;
    if (this.#indents.length > maxDepth) this.fail(`exceeded max depth of ${maxDepth}`);
    const token: Token = { type, start: mark, end: mark, value: '' };
    if (tokenNumber === undefined) this.#tokens.push(token);
    else this.#tokens.splice(tokenNumber - this.#tokensTaken, 0, token);
  }

  #unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.#push('blockEnd', this.mark());
      this.indent = this.#indents.pop()!;
    }
  }

  // Tokens of one kind each.

  #streamEnd(): void {
    if (this.column !== 0) {
      this.column = 0;
      this.line++;
    }
    this.#unroll(-1);
    this.#removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.#push('streamEnd', this.mark());
    this.#ended = true;
  }

  #directive(): void {
    this.#unroll(-1);
    this.#removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.#tokens.push(scanDirective(this));
  }

  #documentIndicator(type: TokenType): void {
    this.#unroll(-1);
    this.#removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.#indicator(type, 3);
  }

  #indicator(type: TokenType, length = 1): void {
    const start = this.mark();
    this.index += length;
    this.column += length;
    this.#push(type, start);
  }

  #flowStart(type: TokenType): void {
    this.#saveSimpleKey();
    // The place of a key inside carries the number of the bracket, and takes that key's entry with it when it goes.
    const tokenNumber = this.#tokensTaken + this.#tokens.length;
    this.#simpleKeys.push({ possible: false, required: false, tokenNumber, mark: this.mark() });
    if (++this.flowLevel > maxDepth) this.fail(`exceeded max depth of ${maxDepth}`);
    this.simpleKeyAllowed = true;
    this.#indicator(type);
  }

  #flowEnd(type: TokenType): void {
    this.#removeSimpleKey();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      const key = this.#simpleKeys.pop();
      if (key) this.#keysByToken.delete(key.tokenNumber);
    }
    this.simpleKeyAllowed = false;
    this.#indicator(type);
  }

  #flowEntry(): void {
    this.#removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.#indicator('flowEntry');
  }

  #blockEntry(): void {
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) this.fail('block sequence entries are not allowed in this context');
      this.#roll(this.column, undefined, 'blockSequenceStart', this.mark());
    }
    this.#removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.#indicator('blockEntry');
  }

  #key(): void {
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) this.fail('mapping keys are not allowed in this context');
      this.#roll(this.column, undefined, 'blockMappingStart', this.mark());
    }
    this.#removeSimpleKey();
    this.simpleKeyAllowed = this.flowLevel === 0;
    this.#indicator('key');
  }

  #value(): void {
    const key = this.#simpleKeys.at(-1);
    if (key && this.#isValid(key)) {
      const at = key.tokenNumber - this.#tokensTaken;
      this.#tokens.splice(at, 0, { type: 'key', start: key.mark, end: key.mark, value: '' });
      this.#roll(key.mark.column, key.tokenNumber, 'blockMappingStart', key.mark);
      key.possible = false;
      this.#keysByToken.delete(key.tokenNumber);
      this.simpleKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.simpleKeyAllowed) this.fail('mapping values are not allowed in this context');
        this.#roll(this.column, undefined, 'blockMappingStart', this.mark());
      }
      this.simpleKeyAllowed = this.flowLevel === 0;
    }
    this.#indicator('value');
  }

  #anchor(type: 'alias' | 'anchor'): void {
    this.#saveSimpleKey();
    this.simpleKeyAllowed = false;
    const start = this.mark();
    this.skip();
    const from = this.index;
    while (isWord(this.at())) this.skip();
    const name = this.text.slice(from, this.index);
    const ends = isBlankOrEnd(this.at()) || '?:,]}%@`'.includes(String.fromCharCode(this.at()));
    if (name === '' || !ends) this.fail('did not find expected alphabetic or numeric character');
    this.#push(type, start, name);
  }
}
