/** Reads a `--set` text character by character. */

/** Go's io.EOF: the text ended where more could have come. The parser takes it as the end, not as a failure. */
export class EndOfText extends Error {
  override name = 'EndOfText';

  constructor() {
    super('EOF');
  }
}

export interface Run {
  readonly text: string;
  /** The character that ended it; nothing where the text did. */
  readonly stop: string | undefined;
}

export class SetScanner {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  peek(): string | undefined {
    return this.#characters[this.#at];
  }

  next(): string | undefined {
    const character = this.#characters[this.#at];
    if (character !== undefined) this.#at++;
    return character;
  }

  /** Up to one of the stops, which is consumed. `\` takes the meaning from what follows, unless texts are literal. */
  until(stops: string, literal = false): Run {
    let text = '';
    for (let character = this.next(); character !== undefined; character = this.next()) {
      if (stops.includes(character)) return { text, stop: character };
      if (character === '\\' && !literal) {
        const quoted = this.next();
        if (quoted === undefined) return { text, stop: undefined };
        text += quoted;
      } else text += character;
    }
    return { text, stop: undefined };
  }

  rest(): string {
    return this.#characters.slice(this.#at).join('');
  }

  skip(text: string): void {
    this.#at += [...text].length;
  }

  /** Whether a value is left out: space up to a comma or the end, both consumed. */
  skipEmpty(): boolean {
    for (;;) {
      const character = this.peek();
      if (character === undefined) return true;
      if (character === ',') {
        this.#at++;
        return true;
      }
      if (!/\s/.test(character)) return false;
      this.#at++;
    }
  }
}
