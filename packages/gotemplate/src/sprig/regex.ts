/** Regular expressions, by RE2 as in Go: linear time, no look-around, no back-references. */

import { RE2JS, RE2JSException } from 're2js';
import { GoError } from '../errors.ts';
import { isValidUtf8 } from '../text/bytes.ts';
import { canBackquote, quote } from '../text/quote.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';
import { STRING_SLICE } from '../value/types.ts';
import { nilSlice, strings, type Value } from '../value/values.ts';

/** Enough for the largest charts; a hostile template that makes up patterns pushes out only its own. */
const cacheSize = 500;
const cache = new Map<string, RE2JS>();

/** Go always quotes the part of the pattern that is wrong, even where that is nothing. */
function goMessage(message: string): string {
  return message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message;
}

/** Throws Go's syntax error. */
function compile(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  if (!isValidUtf8(pattern)) throw new GoError(`error parsing regexp: invalid UTF-8: \`${pattern}\``);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw new GoError(goMessage(error.message));
    throw error;
  }
  if (cache.size >= cacheSize) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

/** A test for texts by a Go regular expression, in time linear in the text. Throws a GoError for what is none. */
export function compileRegex(pattern: string): (text: string) => boolean {
  const compiled = compile(pattern);
  return text => compiled.matcher(text).find();
}

/** `regexp.MustCompile`, whose panic names the pattern. */
function mustCompile(pattern: string): RE2JS {
  try {
    return compile(pattern);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const shown = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern);
    throw new GoError(`regexp: Compile(${shown}): ${error.message}`);
  }
}

type Match = readonly (readonly [start: number, end: number])[];

/** The matches from left to right, by Go's rule: no empty match right after another match. */
function* matches(regex: RE2JS, text: string): Generator<Match> {
  const matcher = regex.matcher(text);
  let previousEnd = -1;
  for (let position = 0; position <= text.length; ) {
    if (!matcher.find(position)) return;
    const [start, end] = [matcher.start(), matcher.end()];
    const accepted = !(start === end && start === previousEnd);
    if (accepted) {
      yield Array.from(
        { length: matcher.groupCount() + 1 },
        (_, group) => [matcher.start(group), matcher.end(group)] as const,
      );
    }
    previousEnd = end;
    position = end > position || start > position ? end : position;
    if (start === end) position = end + (text.codePointAt(end)! > 0xffff ? 2 : 1);
  }
}

function findAll(regex: RE2JS, text: string, limit: number): string[] {
  const found: string[] = [];
  if (limit === 0) return found;
  for (const [[start, end]] of matches(regex, text) as Generator<[readonly [number, number]]>) {
    found.push(text.slice(start, end));
    if (found.length === limit) break;
  }
  return found;
}

/** A nil slice where nothing matched, which JSON shows as null. */
const orNil = (found: readonly string[]): Value => (found.length === 0 ? nilSlice(STRING_SLICE) : strings(found));

function split(regex: RE2JS, pattern: string, text: string, limit: number): Value {
  if (limit === 0) return nilSlice(STRING_SLICE);
  if (pattern !== '' && text === '') return strings(['']);
  const parts: string[] = [];
  let [begin, end] = [0, 0];
  for (const match of matches(regex, text)) {
    if (limit > 0 && parts.length === limit - 1) break;
    const [start, stop] = match[0]!;
    end = start;
    if (stop !== 0) parts.push(text.slice(begin, end));
    begin = stop;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return strings(parts);
}

function replace(regex: RE2JS, text: string, expand: (match: Match) => string): string {
  let out = '';
  let last = 0;
  for (const match of matches(regex, text)) {
    const [start, end] = match[0]!;
    out += text.slice(last, start) + expand(match);
    last = end;
  }
  return out + text.slice(last);
}

const reference = /\$(?:\$|\{([A-Za-z0-9_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/** `$1`, `${1}`, `$name`: the longest name counts, what does not exist is empty. */
function expander(regex: RE2JS, text: string, template: string): (match: Match) => string {
  const names = regex.namedGroups() as Record<string, number>;
  return match =>
    template.replace(reference, (all, braced?: string, bare?: string) => {
      if (all === '$$') return '$';
      const name = braced ?? bare!;
      const group = /^[0-9]+$/.test(name) ? Number(name) : Object.hasOwn(names, name) ? names[name]! : -1;
      const [start, end] = match[group] ?? [-1, -1];
      return start < 0 ? '' : text.slice(start, end);
    });
}

type Compile = (pattern: string) => RE2JS;

function functions(compilePattern: Compile): FuncMap {
  return {
    FindAll: define('string, string, int', (pattern, text, limit) =>
      orNil(findAll(compilePattern(pattern), text, limit)),
    ),
    Find: define('string, string', (pattern, text) => findAll(compilePattern(pattern), text, 1)[0] ?? ''),
    ReplaceAll: defineWith('string, string, string', (execution, pattern, text, template) => {
      const regex = compilePattern(pattern);
      execution.budget.charge(text.length * template.length);
      return replace(regex, text, expander(regex, text, template));
    }),
    ReplaceAllLiteral: defineWith('string, string, string', (execution, pattern, text, replacement) => {
      execution.budget.charge(text.length * replacement.length);
      return replace(compilePattern(pattern), text, () => replacement);
    }),
    Split: define('string, string, int', (pattern, text, limit) =>
      split(compilePattern(pattern), pattern, text, limit),
    ),
  };
}

const named = (prefix: string, map: FuncMap): FuncMap =>
  Object.fromEntries(Object.entries(map).map(([name, body]) => [prefix + name, body]));

const isMatch = (regex: RE2JS, text: string) => regex.matcher(text).find();

export const regexFunctions: FuncMap = {
  ...named('regex', functions(mustCompile)),
  ...named('mustRegex', functions(compile)),
  regexMatch: define('string, string', (pattern, text) => {
    try {
      return isMatch(compile(pattern), text);
    } catch (error) {
      if (error instanceof GoError) return false;
      throw error;
    }
  }),
  mustRegexMatch: define('string, string', (pattern, text) => isMatch(compile(pattern), text)),
  regexQuoteMeta: define('string', text => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};
