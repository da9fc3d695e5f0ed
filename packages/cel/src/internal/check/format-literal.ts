import type { Call, Expr } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Type, TypeKind } from '../types/type.ts';

const ANY_NUMBER: readonly TypeKind[] = ['int', 'uint'];
const PRINTABLE: readonly TypeKind[] = [
  ...(['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type'] as const),
  'null',
];

/** What each clause takes, and what is said of anything else. */
const CLAUSES: Readonly<Record<string, readonly [accepted: readonly TypeKind[], complaint: string]>> = {
  s: [
    PRINTABLE,
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
  d: [ANY_NUMBER, 'decimal clause can only be used on integers'],
  f: [['double', 'string'], 'fixed-point clause can only be used on doubles'],
  e: [['double', 'string'], 'scientific clause can only be used on doubles'],
  b: [[...ANY_NUMBER, 'bool'], 'only integers and bools can be formatted as binary'],
  x: [[...ANY_NUMBER, 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex'],
  X: [[...ANY_NUMBER, 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex'],
  o: [ANY_NUMBER, 'octal clause can only be used on integers'],
};

/** A `format` call whose text and arguments are written out can be checked before it ever runs. */
export function checkFormat(call: Call, typeOf: ReadonlyMap<Expr, Type>): Issue | undefined {
  const [list] = call.args;
  const text = call.target?.kind === 'literal' ? call.target.value : undefined;
  if (typeof text !== 'string' || list?.kind !== 'list') return undefined;
  let used = 0;
  for (const [, clause] of text.matchAll(/%(%|(?:\.\d+)?.?)/gs)) {
    if (clause === '%') continue;
    const verb = clause!.at(-1);
    const argument = list.elements[used];
    if (verb === undefined) return { offset: call.offset, message: 'unexpected end of string' };
    if (!argument) return { offset: call.offset, message: `index ${used} out of range` };
    if (!Object.hasOwn(CLAUSES, verb)) {
      const message = `could not parse formatting clause: unrecognized formatting clause "${verb}"`;
      return { offset: call.offset, message };
    }
    const [accepted, complaint] = CLAUSES[verb]!;
    const type = typeOf.get(argument)!;
    if (type.kind !== 'dyn' && !accepted.includes(type.kind)) {
      return { offset: argument.offset, message: `error during formatting: ${complaint}, was given ${type.name}` };
    }
    used++;
  }
  if (used >= list.elements.length) return undefined;
  const message = `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`;
  return { offset: call.offset, message };
}
