/** Reads kubectl's dialect of JSONPath, quirks included: people have templates that rely on them. */
import { JsonPathError, type Piece, type Step, type Steps, type Template } from './nodes.ts';
import { unquote } from './unquote.ts';

export function parseTemplate(text: string): Template {
  const flat: Piece[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('{', position);
    if (open !== position) {
      flat.push({ kind: 'text', text: text.slice(position, open === -1 ? text.length : open) });
      if (open === -1) break;
    }
    const action = new ActionParser(text, open + 1);
    flat.push({ kind: 'action', steps: action.parse() });
    position = action.position;
  }
  const { pieces, rest } = nested(flat);
  if (rest.length > 0) throw new JsonPathError('not in range, nothing to end');
  return pieces;
}

/** Gathers what stands between range and end. A range that is never ended reaches to the end of the template. */
function nested(flat: readonly Piece[]): { pieces: Template; rest: readonly Piece[] } {
  const pieces: Piece[] = [];
  let rest = flat;
  for (let [piece] = rest; piece !== undefined; [piece] = rest) {
    if (isWord(piece, 'end')) return { pieces, rest };
    rest = rest.slice(1);
    if (piece.kind === 'action' && isWord(piece, 'range')) {
      const inner = nested(rest);
      pieces.push({ kind: 'range', over: piece.steps.slice(1), body: inner.pieces });
      rest = inner.rest.slice(1);
    } else {
      pieces.push(piece);
    }
  }
  return { pieces, rest };
}

function isWord(piece: Piece, word: string): boolean {
  if (piece.kind !== 'action') return false;
  const [first] = piece.steps;
  return first?.kind === 'word' && first.word === word;
}

/** The steps of a piece of path that stands within another: a side of a comparison, a part of a union. */
function parseSteps(text: string): Steps {
  return new ActionParser(`${text}}`, 0).parse();
}

class ActionParser {
  readonly #text: string;
  /** After `parse`: what follows the closing brace. */
  position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  parse(): Steps {
    const steps: Step[] = [];
    for (;;) {
      if (this.#skip('}')) return steps;
      if (this.#skip('[?(')) steps.push(this.#filter());
      else if (this.#skip('..')) steps.push(...this.#descent(steps));
      else steps.push(...this.#plain());
    }
  }

  #plain(): Steps {
    const character = this.#text[this.position];
    if (character === undefined || character === '\n' || character === '\r') throw new JsonPathError('unclosed action');
    if (/[-+0-9]/.test(character)) return [this.#number()];
    if (/[_\p{L}\p{Nd}]/u.test(character)) return [this.#word()];
    this.position++;
    switch (character) {
      // The object at hand is meant anyway.
      case ' ':
      case '@':
      case '$':
        return [];
      case '[':
        return this.#brackets();
      case '"':
      case "'":
        return [{ kind: 'literal', value: this.#quoted(character) }];
      case '.':
        return [this.#field()];
      default: {
        const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
        throw new JsonPathError(`unrecognized character in action: U+${point} '${character}'`);
      }
    }
  }

  #skip(prefix: string): boolean {
    if (!this.#text.startsWith(prefix, this.position)) return false;
    this.position += prefix.length;
    return true;
  }

  #take(pattern: RegExp): string {
    const sticky = new RegExp(pattern, 'yu');
    sticky.lastIndex = this.position;
    const [found = ''] = sticky.exec(this.#text) ?? [];
    this.position += found.length;
    return found;
  }

  #field(): Step {
    const name = this.#take(/(?:\\[\s\S]?|[^\\ \t\r\n.,[\]$@{}])*/);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #descent(before: Steps): Steps {
    if (before.at(-1)?.kind === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    const named = /[_\p{L}\p{Nd}]/u.test(this.#text[this.position] ?? '');
    return [{ kind: 'recursive' }, ...(named ? [this.#field()] : [])];
  }

  #number(): Step {
    const text = this.#take(/[-+]?[.0-9]*/);
    const value = Number(text);
    if (!/[0-9]/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    return { kind: 'literal', value };
  }

  #word(): Step {
    const word = this.#take(/[^ \t\r\n.,[\]$@{}]+/);
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    return { kind: 'word', word };
  }

  #quoted(quote: string): string {
    const start = this.position - 1;
    for (let end = this.position; end < this.#text.length && this.#text[end] !== '\n'; end++) {
      if (this.#text[end] !== quote || this.#text[end - 1] === '\\') continue;
      this.position = end + 1;
      return unquote(this.#text.slice(start, end + 1));
    }
    throw new JsonPathError('unterminated quoted string');
  }

  #brackets(): Steps {
    const content = this.#take(/[^\]\n]*/);
    if (!this.#skip(']')) throw new JsonPathError('unterminated array');
    const parts = content.split(',');
    if (parts.length > 1) return [{ kind: 'union', parts: parts.map(part => parseSteps(`[${part.trim()}]`)) }];
    const key = /^'([^']*)'$/.exec(content)?.[1];
    // The key is read as a field would be, so dots in it have to be escaped there too.
    return key === undefined ? [parseSlice(content === '*' ? ':' : content)] : parseSteps(`.${key}`);
  }

  #filter(): Step {
    const start = this.position;
    const end = this.#endOfFilter();
    this.position = end + 1;
    if (!this.#skip(']')) throw new JsonPathError('unclosed array expect ]');
    const text = this.#text.slice(start, end);
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text) ?? [];
    if (left === undefined) return { kind: 'filter', left: parseSteps(text) };
    return { kind: 'filter', left: parseSteps(left), comparison: { operator: operator!, right: parseSteps(right!) } };
  }

  /** The closing parenthesis that does not stand within quotes. */
  #endOfFilter(): number {
    let quote: string | undefined;
    let closed = false;
    for (let index = this.position; index < this.#text.length && this.#text[index] !== '\n'; index++) {
      const character = this.#text[index]!;
      if (character === ')' && (quote !== undefined) === closed) return index;
      if (character !== '"' && character !== "'") continue;
      if (quote === undefined) quote = character;
      else if (character === quote && this.#text[index - 1] !== '\\') closed = true;
    }
    throw new JsonPathError('unterminated filter');
  }
}

function parseSlice(text: string): Step {
  const found = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (found === null) throw new JsonPathError(`invalid array index ${text}`);
  const number = (part: string | undefined): number | undefined => {
    const digits = part?.replace(':', '') ?? '';
    if (digits === '-') throw new JsonPathError(`array index ${digits} is not a number`);
    return digits === '' ? undefined : Number(digits);
  };
  const [, from, to, step] = found;
  return { kind: 'slice', from: number(from), to: to === undefined ? 'next' : number(to), step: number(step) };
}
