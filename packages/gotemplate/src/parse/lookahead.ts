import type { Lexer } from './lexer.ts';
import type { Token } from './token.ts';

/**
 * The tokens of one tree, of which up to three can be given back. Trees inside others (`define`, `block`) read from the same lexer,
 * each with a look-ahead of its own: the line in a parse error is that of the token this tree read last.
 */
export class Lookahead {
  readonly #lexer: Lexer;
  readonly #tokens: Token[] = [];
  /** How many of the tokens above have been given back. */
  #peeked = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The line of the token read last. */
  get line(): number {
    return this.#tokens[0]?.line ?? 0;
  }

  next(): Token {
    if (this.#peeked > 0) this.#peeked--;
    else this.#tokens[0] = this.#lexer.next();
    return this.#tokens[this.#peeked]!;
  }

  peek(): Token {
    if (this.#peeked > 0) return this.#tokens[this.#peeked - 1]!;
    this.#peeked = 1;
    this.#tokens[0] = this.#lexer.next();
    return this.#tokens[0];
  }

  nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== 'space') return token;
    }
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.backup();
    return token;
  }

  /** Gives the last token back. */
  backup(): void {
    this.#peeked++;
  }

  /** Gives the last token and the one before it back. */
  backup2(second: Token): void {
    this.#tokens[1] = second;
    this.#peeked = 2;
  }

  /** Gives the last token and the two before it back. */
  backup3(third: Token, second: Token): void {
    this.#tokens[1] = second;
    this.#tokens[2] = third;
    this.#peeked = 3;
  }
}
