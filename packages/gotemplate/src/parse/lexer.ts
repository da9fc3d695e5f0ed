/**
 * Splits template text into tokens, one call at a time, as Go's lexer does: the parser decides how far it reads, and the first
 * error ends the stream.
 */

import { quote } from '../text/quote.ts';
import { isDigit, isLetter, isPrint } from '../text/unicode.ts';
import { keyword, type Token, type TokenType } from './token.ts';

const END = -1;
const leftComment = '/*';
const rightComment = '*/';
const trimMarkerLength = 2; // the marker '-' and the space beside it

const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
const isAlphaNumeric = (code: number) => code === 0x5f || (code >= 0 && (isLetter(code) || isDigit(code)));
const width = (code: number) => (code > 0xffff ? 2 : 1);

/** A character as `%#U` prints it. */
function unicodeName(code: number): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrint(code) ? `${name} '${String.fromCodePoint(code)}'` : name;
}

export interface LexerOptions {
  readonly left: string;
  readonly right: string;
  /** `break` and `continue` are keywords unless a function has that name. */
  readonly breakIsKeyword: boolean;
  readonly continueIsKeyword: boolean;
}

export class Lexer {
  #input: string;
  readonly #options: LexerOptions;
  #position = 0;
  #start = 0;
  #line = 1;
  #startLine = 1;
  #parenDepth = 0;
  #insideAction = false;

  constructor(input: string, options: LexerOptions) {
    this.#input = input;
    this.#options = options;
  }

  next(): Token {
    return this.#insideAction ? this.#action() : this.#text();
  }

  #peek(): number {
    return this.#input.codePointAt(this.#position) ?? END;
  }

  #read(): number {
    const code = this.#peek();
    if (code === END) return END;
    this.#position += width(code);
    if (code === 0x0a) this.#line++;
    return code;
  }

  #startsWith(text: string, offset = 0): boolean {
    return this.#input.startsWith(text, this.#position + offset);
  }

  #take(type: TokenType): Token {
    const token = {
      type,
      position: this.#start,
      value: this.#input.slice(this.#start, this.#position),
      line: this.#startLine,
    };
    this.#start = this.#position;
    this.#startLine = this.#line;
    return token;
  }

  /** Drops what lies between the start of the token and here, counting its lines. */
  #skip(): void {
    this.#line += newlines(this.#input, this.#start, this.#position);
    this.#start = this.#position;
    this.#startLine = this.#line;
  }

  #error(message: string): Token {
    const token: Token = { type: 'error', position: this.#start, value: message, line: this.#startLine };
    this.#start = 0;
    this.#position = 0;
    this.#input = '';
    return token;
  }

  #text(): Token {
    for (;;) {
      const found = this.#input.indexOf(this.#options.left, this.#position);
      if (found < 0) return this.#lastText();
      if (found > this.#position) {
        this.#position = found;
        let end = found;
        if (this.#hasLeftTrim(found + this.#options.left.length)) {
          while (end > this.#start && isSpace(this.#input.charCodeAt(end - 1))) end--;
        }
        this.#position = end;
        this.#line += newlines(this.#input, this.#start, end);
        const token = this.#take('text');
        this.#position = found;
        this.#skip();
        if (token.value !== '') return token;
      }
      const token = this.#leftDelimiter();
      if (token) return token;
    }
  }

  #lastText(): Token {
    this.#position = this.#input.length;
    if (this.#position > this.#start) {
      this.#line += newlines(this.#input, this.#start, this.#position);
      return this.#take('text');
    }
    return { ...this.#take('eof'), value: '' };
  }

  #hasLeftTrim(at: number): boolean {
    return this.#input[at] === '-' && isSpace(this.#input.charCodeAt(at + 1));
  }

  #hasRightTrim(at: number): boolean {
    return (
      isSpace(this.#input.charCodeAt(at)) &&
      this.#input[at + 1] === '-' &&
      this.#input.startsWith(this.#options.right, at + trimMarkerLength)
    );
  }

  #atRightDelimiter(): 'no' | 'plain' | 'trimming' {
    if (this.#hasRightTrim(this.#position)) return 'trimming';
    return this.#startsWith(this.#options.right) ? 'plain' : 'no';
  }

  /** Nothing where the action was a comment: those are not for the parser. */
  #leftDelimiter(): Token | undefined {
    this.#position += this.#options.left.length;
    const after = this.#hasLeftTrim(this.#position) ? trimMarkerLength : 0;
    if (this.#startsWith(leftComment, after)) {
      this.#position += after;
      this.#skip();
      return this.#comment();
    }
    const token = this.#take('leftDelim');
    this.#insideAction = true;
    this.#position += after;
    this.#skip();
    this.#parenDepth = 0;
    return token;
  }

  #comment(): Token | undefined {
    this.#position += leftComment.length;
    const end = this.#input.indexOf(rightComment, this.#position);
    if (end < 0) return this.#error('unclosed comment');
    this.#position = end + rightComment.length;
    const delimiter = this.#atRightDelimiter();
    if (delimiter === 'no') return this.#error('comment ends before closing delimiter');
    this.#line += newlines(this.#input, this.#start, this.#position);
    this.#take('text');
    if (delimiter === 'trimming') this.#position += trimMarkerLength;
    this.#position += this.#options.right.length;
    if (delimiter === 'trimming') this.#skipSpaces();
    this.#skip();
    return undefined;
  }

  #skipSpaces(): void {
    while (isSpace(this.#input.charCodeAt(this.#position))) this.#position++;
  }

  #rightDelimiter(): Token {
    const trims = this.#atRightDelimiter() === 'trimming';
    if (trims) {
      this.#position += trimMarkerLength;
      this.#skip();
    }
    this.#position += this.#options.right.length;
    const token = this.#take('rightDelim');
    if (trims) {
      this.#skipSpaces();
      this.#skip();
    }
    this.#insideAction = false;
    return token;
  }

  #action(): Token {
    if (this.#atRightDelimiter() !== 'no') {
      return this.#parenDepth === 0 ? this.#rightDelimiter() : this.#error('unclosed left paren');
    }
    const code = this.#peek();
    if (code === END) return this.#error('unclosed action');
    if (isSpace(code)) return this.#space();
    const character = String.fromCodePoint(code);
    if (character === '+' || character === '-' || (code >= 0x30 && code <= 0x39)) return this.#number();
    if (character === '.') {
      const next = this.#input.charCodeAt(this.#position + 1);
      if (!(next >= 0x30 && next <= 0x39) && !Number.isNaN(next)) return this.#fieldOrVariable('field');
      return this.#number();
    }
    if (isAlphaNumeric(code)) return this.#identifier();
    this.#read();
    switch (character) {
      case '=':
        return this.#take('assign');
      case ':':
        return this.#read() === 0x3d ? this.#take('declare') : this.#error('expected :=');
      case '|':
        return this.#take('pipe');
      case '"':
        return this.#quoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.#quoted("'", 'charConstant', 'unterminated character constant');
      case '`':
        return this.#rawQuoted();
      case '$':
        this.#position--;
        return this.#fieldOrVariable('variable');
      case '(':
        this.#parenDepth++;
        return this.#take('leftParen');
      case ')':
        this.#parenDepth--;
        return this.#parenDepth < 0 ? this.#error('unexpected right paren') : this.#take('rightParen');
    }
    if (code < 0x80 && isPrint(code)) return this.#take('char');
    return this.#error(`unrecognized character in action: ${unicodeName(code)}`);
  }

  #space(): Token {
    let count = 0;
    while (isSpace(this.#peek())) {
      this.#read();
      count++;
    }
    // The last space may belong to a trimming delimiter (" -}}").
    if (this.#hasRightTrim(this.#position - 1)) {
      this.#position--;
      if (this.#input[this.#position] === '\n') this.#line--;
      if (count === 1) return this.#rightDelimiter();
    }
    return this.#take('space');
  }

  #alphaNumerics(): number {
    for (;;) {
      const code = this.#peek();
      if (!isAlphaNumeric(code)) return code;
      this.#read();
    }
  }

  #identifier(): Token {
    const stop = this.#alphaNumerics();
    if (!this.#atTerminator()) return this.#error(`bad character ${unicodeName(stop)}`);
    const word = this.#input.slice(this.#start, this.#position);
    const key = keyword(word);
    if (key === 'break' && !this.#options.breakIsKeyword) return this.#take('identifier');
    if (key === 'continue' && !this.#options.continueIsKeyword) return this.#take('identifier');
    if (key) return this.#take(key);
    return this.#take(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  #fieldOrVariable(type: 'field' | 'variable'): Token {
    this.#read();
    if (this.#atTerminator()) return this.#take(type === 'variable' ? 'variable' : 'dot');
    const stop = this.#alphaNumerics();
    return this.#atTerminator() ? this.#take(type) : this.#error(`bad character ${unicodeName(stop)}`);
  }

  #atTerminator(): boolean {
    const code = this.#peek();
    return (
      code === END ||
      isSpace(code) ||
      '.,|:)('.includes(String.fromCodePoint(code)) ||
      this.#startsWith(this.#options.right)
    );
  }

  #quoted(mark: string, type: TokenType, problem: string): Token {
    for (;;) {
      let code = this.#read();
      const escapes = code === 0x5c;
      if (escapes) code = this.#read();
      if (code === END || code === 0x0a) return this.#error(problem);
      if (!escapes && String.fromCodePoint(code) === mark) return this.#take(type);
    }
  }

  #rawQuoted(): Token {
    for (;;) {
      const code = this.#read();
      if (code === END) return this.#error('unterminated raw quoted string');
      if (code === 0x60) return this.#take('rawString');
    }
  }

  #number(): Token {
    const bad = () => this.#error(`bad number syntax: ${quote(this.#input.slice(this.#start, this.#position))}`);
    if (!this.#scanNumber()) return bad();
    const sign = this.#peek();
    if (sign !== 0x2b && sign !== 0x2d) return this.#take('number');
    if (!this.#scanNumber() || this.#input[this.#position - 1] !== 'i') return bad();
    return this.#take('complex');
  }

  #accept(valid: string): boolean {
    const code = this.#peek();
    if (code === END || !valid.includes(String.fromCodePoint(code))) return false;
    this.#read();
    return true;
  }

  #acceptRun(valid: string): void {
    while (this.#accept(valid));
  }

  #scanNumber(): boolean {
    this.#accept('+-');
    let digits = '0123456789_';
    let exponent = 'eE';
    if (this.#accept('0')) {
      if (this.#accept('xX')) [digits, exponent] = ['0123456789abcdefABCDEF_', 'pP'];
      else if (this.#accept('oO')) [digits, exponent] = ['01234567_', ''];
      else if (this.#accept('bB')) [digits, exponent] = ['01_', ''];
    }
    this.#acceptRun(digits);
    if (this.#accept('.')) this.#acceptRun(digits);
    if (exponent && this.#accept(exponent)) {
      this.#accept('+-');
      this.#acceptRun('0123456789_');
    }
    this.#accept('i');
    if (!isAlphaNumeric(this.#peek())) return true;
    this.#read();
    return false;
  }
}

function newlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
