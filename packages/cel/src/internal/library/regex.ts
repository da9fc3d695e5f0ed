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
 * RE2 matches in time proportional to the text and to the compiled program, whatever the pattern. Steps for a character:
 * a few, and nearly one for every instruction, since all of them may be alive at once (`(a?){1000}`).
 */
const stepsPerCharacter = (compiled: RE2JS): number => 4 + compiled.programSize() * 0.75;

/** Starting over behind a match takes about two microseconds. */
const STEPS_PER_MATCH = 100;

/** Steps to compile one instruction. */
const STEPS_PER_INSTRUCTION = 100;

function withPattern(pattern: string, text: string, meter: Meter, use: (compiled: RE2JS) => Value): Value | Failure {
  const compiled = compilePattern(pattern, meter);
  if (typeof compiled === 'string') return new Failure(compiled);
  meter.step(1 + text.length * stepsPerCharacter(compiled));
  return use(compiled);
}

/** Compiling takes time by instruction; heavier patterns than this would take a second. */
const MAX_PATTERN_WEIGHT = 200_000;

/** At most how many instructions a pattern can become: counted repetitions copy what they repeat. */
export function patternWeight(pattern: string): number {
  let copies = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{1,4})?)?\}/g)) {
    copies += Math.max(Number(least), Number(most ?? 0));
  }
  return pattern.length * copies;
}

/** The compiled pattern, or what is wrong with it. */
export function compilePattern(pattern: string, meter?: Meter): RE2JS | string {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  meter?.step(100 + pattern.length * 20);
  const compiled = compileUncached(pattern);
  if (typeof compiled !== 'string') meter?.step(compiled.programSize() * STEPS_PER_INSTRUCTION);
  if (typeof compiled !== 'string' && compiled.programSize() > LARGEST_CACHED) return compiled;
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

const cache = new Map<string, RE2JS | string>();
const MAX_CACHED = 500;
const LARGEST_CACHED = 2000;

function compileUncached(pattern: string): RE2JS | string {
  if (patternWeight(pattern) > MAX_PATTERN_WEIGHT)
    return 'error parsing regexp: expression nests too deeply or repeats too much';
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
