import { byteLength } from '../text/bytes.ts';
import { quote } from '../text/quote.ts';

export type TokenType =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'eof'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | Keyword;

const keywords = [
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;

/** `dot` is the cursor `.`, which Go counts among the keywords. */
export type Keyword = (typeof keywords)[number] | 'dot';

const keywordSet: ReadonlySet<string> = new Set(keywords);

export function keyword(word: string): Keyword | undefined {
  return keywordSet.has(word) ? (word as Keyword) : undefined;
}

export interface Token {
  readonly type: TokenType;
  /** Where it starts in the text. */
  readonly position: number;
  readonly value: string;
  readonly line: number;
}

/** A token as error messages show it. */
export function describe(token: Token): string {
  if (token.type === 'eof') return 'EOF';
  if (token.type === 'error') return token.value;
  if (token.type === 'dot' || keywordSet.has(token.type)) return `<${token.value}>`;
  if (byteLength(token.value) > 10) return `${quote([...token.value].slice(0, 10).join(''))}...`;
  return quote(token.value);
}
