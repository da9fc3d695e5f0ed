import { RE2JS } from 're2js';
import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { ArrayList } from '../value/list.ts';
import type { Value } from '../value/value.ts';
import { define, type Overload } from './overload.ts';

export const regex: readonly Overload[] = [
  define('matches', 'matches', '(string, string): bool', matches),
  define('matches', 'matches_string', '.(string, string): bool', matches),
  define('find', 'string_find_string', '.(string, string): string', ([text, pattern]: [string, string], meter) =>
    withPattern(pattern, text, meter, compiled => {
      const matcher = compiled.matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : '';
    }),
  ),
  define('findAll', 'string_find_all_string', '.(string, string): list(string)', findAll),
  define('findAll', 'string_find_all_string_int', '.(string, string, int): list(string)', findAll),
];

function matches([text, pattern]: [string, string], meter: Meter): Value | Failure {
  return withPattern(pattern, text, meter, compiled => compiled.matcher(text).find());
}

function findAll([text, pattern, limit = -1n]: [string, string, bigint?], meter: Meter): Value | Failure {
  return withPattern(pattern, text, meter, compiled => {
    const found: string[] = [];
    const matcher = compiled.matcher(text);
    while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
      meter.step(STEPS_PER_MATCH);
      found.push(matcher.group() ?? '');
    }
    return new ArrayList(found);
  });
}

/**
 * RE2 matches in time proportional to pattern × text, whatever the pattern. A program is at most a few hundred times
 * slower than reading the text; that is what a character of it is charged here.
 */
const STEPS_PER_CHARACTER = 6;

function withPattern(pattern: string, text: string, meter: Meter, use: (compiled: RE2JS) => Value): Value | Failure {
  const compiled = compilePattern(pattern, meter);
  if (typeof compiled === 'string') return new Failure(compiled);
  meter.step(1 + text.length * STEPS_PER_CHARACTER * (1 + pattern.length / 64));
  return use(compiled);
}

/** Starting over behind a match takes about two microseconds. */
const STEPS_PER_MATCH = 100;

/** A longer pattern is refused: repetitions multiply (`(a{1000}){1000}`), and RE2 only bounds each of them. */
const MAX_PATTERN_LENGTH = 10_000;

/** The compiled pattern, or what is wrong with it. */
export function compilePattern(pattern: string, meter?: Meter): RE2JS | string {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  meter?.step(100 + pattern.length * 20);
  const compiled = compileUncached(pattern);
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

const cache = new Map<string, RE2JS | string>();
const MAX_CACHED = 500;

function compileUncached(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN_LENGTH) return `error parsing regexp: pattern is longer than ${MAX_PATTERN_LENGTH}`;
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
