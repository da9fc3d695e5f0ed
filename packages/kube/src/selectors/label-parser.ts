/**
 * The string syntax of label selectors: `app=web,tier in (front,back),!legacy`. It follows the API server's parser step by
 * step, because the messages it gives are part of the API: users see them from kubectl.
 */
import { validateLabelKey } from '../names.ts';
import {
  byCodePoint,
  invalid,
  type LabelOperator,
  type Requirement,
  requirement,
  SelectorError,
} from './requirement.ts';

/** The requirements in a selector string, ordered by key. */
export function parseRequirements(selector: string): Requirement[] {
  const tokens = new Tokens(selector);
  const requirements: Requirement[] = [];
  while (tokens.peek().kind !== 'end') {
    const next = tokens.peek();
    if (next.kind !== 'word' && next.text !== '!') {
      throw new SelectorError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const after = tokens.take();
    if (after.kind === 'end') break;
    if (after.text !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
    const following = tokens.peek();
    if (following.kind !== 'word' && following.text !== '!') {
      throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
    }
  }
  return requirements.sort((left, right) => byCodePoint(left.key, right.key));
}

interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
}

const END: Token = { kind: 'end', text: '' };

class Tokens {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(selector: string) {
    this.#tokens = [...selector.matchAll(/(==|!=|[=!(),><])|[^=!(),><\t\r\n ]+/g)].map(([text, symbol]) => ({
      kind: symbol === undefined ? 'word' : 'symbol',
      text,
    }));
  }

  peek(): Token {
    return this.#tokens[this.#position] ?? END;
  }

  take(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }
}

function parseRequirement(tokens: Tokens): Requirement {
  try {
    const negated = tokens.peek().text === '!';
    if (negated) tokens.take();
    const key = parseKey(tokens);
    const next = tokens.peek();
    if (next.kind === 'end' || next.text === ',') return requirement(key, negated ? '!' : 'exists', []);
    if (negated) return requirement(key, '!', []);
    const operator = parseOperator(tokens);
    const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseExactValue(tokens)];
    return requirement(key, operator, values);
  } catch (error) {
    if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function parseKey(tokens: Tokens): string {
  const token = tokens.take();
  if (token.kind !== 'word') throw new SelectorError(`found '${token.text}', expected: identifier`);
  // The API server names the field `<nil>` here, as there is none.
  const [problem] = invalid('<nil>', token.text, validateLabelKey(token.text));
  if (problem !== undefined) throw new SelectorError(problem);
  return token.text;
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function parseOperator(tokens: Tokens): LabelOperator {
  const { text } = tokens.take();
  if (!Object.hasOwn(OPERATORS, text)) {
    throw new SelectorError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  return OPERATORS[text]!;
}

/** A list in parentheses. Empty places count as the empty value: `(a,)` is `a` or ``. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open.text !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
  const values = new Set<string>();
  const first = tokens.peek();
  if (first.kind !== 'word' && first.text !== ',' && first.text !== ')') {
    throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  let expectValue = true;
  for (;;) {
    const token = tokens.take();
    if (token.text === ')' || token.text === ',') {
      if (expectValue) values.add('');
      if (token.text === ')') return [...values].sort(byCodePoint);
      expectValue = true;
    } else if (token.kind === 'word' && expectValue) {
      values.add(token.text);
      expectValue = false;
    } else {
      throw new SelectorError(`found '${token.text}', expected: ${expectValue ? "',', or identifier" : "',' or ')'"}`);
    }
  }
}

function parseExactValue(tokens: Tokens): string {
  const next = tokens.peek();
  if (next.kind === 'end' || next.text === ',') return '';
  tokens.take();
  if (next.kind !== 'word') throw new SelectorError(`found '${next.text}', expected: identifier`);
  return next.text;
}
