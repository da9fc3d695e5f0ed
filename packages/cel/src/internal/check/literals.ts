import { compilePattern } from '../library/regex.ts';
import type { Call, Expr, LiteralValue } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import { parseDuration, parseTimestamp } from '../value/time.ts';
import type { Checked } from './check.ts';

/** Literals that a function would refuse whenever it is called are refused now: patterns, durations, timestamps. */
export function checkLiterals(checked: Checked): Issue[] {
  const issues: Issue[] = [];
  for (const [expr, overloads] of checked.overloadsOf) {
    if (expr.kind !== 'call') continue;
    for (const { id } of overloads) {
      const issue = checkCall(expr, id);
      if (issue) issues.push(issue);
    }
  }
  return issues;
}

function checkCall(call: Call, overload: string): Issue | undefined {
  switch (overload) {
    case 'matches':
      return checkPattern(call.args[1], 'matches');
    case 'matches_string':
      return checkPattern(call.args[0], 'matches');
    case 'string_find_string':
    case 'string_find_all_string':
    case 'string_find_all_string_int':
      return checkPattern(call.args[0], 'find');
    case 'string_to_duration':
      return checkText(call, 'duration', text => parseDuration(text) !== undefined);
    case 'string_to_timestamp':
      return checkText(call, 'timestamp', text => parseTimestamp(text) !== undefined);
    default:
      return undefined;
  }
}

function checkPattern(argument: Expr | undefined, name: string): Issue | undefined {
  const pattern = textOf(argument);
  if (pattern === undefined) return undefined;
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? { offset: argument!.offset, message: `invalid ${name} argument` } : undefined;
}

function checkText(call: Call, name: string, isValid: (text: string) => boolean): Issue | undefined {
  const [argument] = call.args;
  const text = textOf(argument);
  if (text === undefined || isValid(text)) return undefined;
  return { offset: argument!.offset, message: `invalid ${name} argument` };
}

function textOf(expr: Expr | undefined): string | undefined {
  const value: LiteralValue | undefined = expr?.kind === 'literal' ? expr.value : undefined;
  return typeof value === 'string' ? value : undefined;
}
