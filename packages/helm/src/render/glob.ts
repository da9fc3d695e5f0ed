/**
 * Patterns of `.Files.Glob`, as gobwas/glob reads them with `/` as the separator: `*` and `?` stay within a part of the path, `**`
 * crosses parts, `{a,b}` are alternatives, `[a-z]` and `[!a-z]` classes, `\` quotes.
 */

import { compileRegex } from '@capstan/gotemplate';

const quoted = (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');

/** A test for names; a pattern that cannot be read matches everything, as Helm has it. */
export function compileGlob(pattern: string): (name: string) => boolean {
  try {
    return compileRegex(`^(?s:${translate([...pattern])})$`);
  } catch {
    return () => true;
  }
}

function translate(pattern: readonly string[]): string {
  let out = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === '*') {
      const double = pattern[at + 1] === '*';
      while (pattern[at + 1] === '*') at++;
      out += double ? '.*' : '[^/]*';
    } else if (character === '?') out += '[^/]';
    else if (character === '[') {
      const end = pattern.indexOf(']', at + 1);
      if (end < 0) throw new SyntaxError('class without an end');
      out += translateClass(pattern.slice(at + 1, end).join(''));
      at = end;
    } else if (character === '{') {
      depth++;
      out += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      out += ')';
    } else if (character === ',' && depth > 0) out += '|';
    else if (character === '\\') {
      const next = pattern[++at];
      if (next === undefined) throw new SyntaxError('nothing to quote');
      out += quoted(next);
    } else out += quoted(character);
  }
  if (depth > 0) throw new SyntaxError('alternatives without an end');
  return out;
}

function translateClass(body: string): string {
  const negated = body.startsWith('!');
  const rest = negated ? body.slice(1) : body;
  if (rest === '') throw new SyntaxError('empty class');
  const range = /^(.)-(.)$/su.exec(rest);
  const escaped = (text: string) => text.replace(/[\\\]^-]/g, '\\$&');
  const inside = range ? `${escaped(range[1]!)}-${escaped(range[2]!)}` : escaped(rest);
  return `[${negated ? '^' : ''}${inside}]`;
}
