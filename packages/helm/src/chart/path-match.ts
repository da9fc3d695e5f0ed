/**
 * Go's `filepath.Match`: `*` and `?` do not match `/`, `[a-z]` and `[^a-z]` are classes, `\` quotes. Matching is linear in the
 * text for each star, so a hostile pattern cannot hang it.
 */

import { HelmError } from '../errors.ts';

type Token = { readonly kind: 'star' } | { readonly kind: 'one'; readonly accepts: (character: string) => boolean };

/** Reads a pattern into a test. Throws `syntax error in pattern`. */
export function compilePattern(pattern: string): (name: string) => boolean {
  const tokens = tokenize([...pattern]);
  return name => matches(tokens, [...name]);
}

const syntaxError = () => new HelmError('ChartInvalid', 'syntax error in pattern');

function tokenize(pattern: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const literal = (): string => {
    if (pattern[at] === '\\') at++;
    const character = pattern[at++];
    if (character === undefined) throw syntaxError();
    return character;
  };
  const classToken = (): Token => {
    const negated = pattern[at] === '^';
    if (negated) at++;
    const ranges: [string, string][] = [];
    while (pattern[at] !== ']' || ranges.length === 0) {
      if (pattern[at] === undefined || pattern[at] === '-' || pattern[at] === ']') throw syntaxError();
      const low = literal();
      let high = low;
      if (pattern[at] === '-') {
        at++;
        if (pattern[at] === undefined || pattern[at] === '-' || pattern[at] === ']') throw syntaxError();
        high = literal();
      }
      ranges.push([low, high]);
    }
    at++;
    const inside = (character: string) => ranges.some(([low, high]) => low <= character && character <= high);
    return { kind: 'one', accepts: character => inside(character) !== negated };
  };
  while (at < pattern.length) {
    const character = pattern[at]!;
    if (character === '*') {
      at++;
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      at++;
      tokens.push({ kind: 'one', accepts: other => other !== '/' });
    } else if (character === '[') {
      at++;
      tokens.push(classToken());
    } else {
      const wanted = literal();
      tokens.push({ kind: 'one', accepts: other => other === wanted });
    }
  }
  return tokens;
}

/** The usual two-pointer walk: on a mismatch, the last star takes one character more. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      star = token++;
      resume = at;
    } else if (current?.accepts(name[at]!)) {
      token++;
      at++;
    } else if (star >= 0 && name[resume] !== '/') {
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[token]?.kind === 'star') token++;
  return token === tokens.length;
}
