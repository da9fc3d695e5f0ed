import { compilePattern, patternWeight } from '../library/regex.ts';
import type { Call, Expr, LiteralValue } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import { formatType, sameType } from '../types/type.ts';
import { parseDuration, parseTimestamp } from '../value/time.ts';
import type { Checked } from './check.ts';
import { checkFormat } from './format-literal.ts';

/**
 * Literals that a function would refuse whenever it is called are refused now: patterns, durations, timestamps, texts for
 * `format`. So are lists and maps of mixed types, except as arguments of `format`.
 */
export function checkLiterals(checked: Checked): Issue[] {
  const issues: Issue[] = [];
  const add = (issue: Issue | undefined) => issue && issues.push(issue);
  for (const [expr, overloads] of checked.overloadsOf) {
    if (expr.kind === 'call') for (const { id } of overloads) add(checkCall(expr, id, checked));
  }
  const exempt = formatArguments(checked);
  for (const expr of checked.typeOf.keys()) {
    if (exempt.has(expr)) continue;
    if (expr.kind === 'list') add(checkUniform(expr.elements, checked));
    if (expr.kind === 'map') {
      add(
        checkUniform(
          expr.entries.map(({ key }) => key),
          checked,
        ),
      );
      add(
        checkUniform(
          expr.entries.map(({ value }) => value),
          checked,
        ),
      );
    }
  }
  return issues;
}

/** How much work the patterns of an expression are to compile. */
export function patternWeights(checked: Checked): number {
  let weight = 0;
  for (const [expr, overloads] of checked.overloadsOf) {
    if (expr.kind !== 'call' || !overloads.some(({ name }) => name === 'matches')) continue;
    for (const argument of expr.args) weight += patternWeight(textOf(argument) ?? '');
  }
  return weight;
}

function checkCall(call: Call, overload: string, checked: Checked): Issue | undefined {
  switch (overload) {
    case 'matches':
      return checkPattern(call.args[1]);
    case 'matches_string':
      return checkPattern(call.args[0]);
    case 'string_to_duration':
      return checkText(call, 'duration', text => parseDuration(text) !== undefined);
    case 'string_to_timestamp':
      return checkText(call, 'timestamp', text => parseTimestamp(text) !== undefined);
    case 'string_format':
      return checkFormat(call, checked.typeOf);
    default:
      return undefined;
  }
}

function checkPattern(argument: Expr | undefined): Issue | undefined {
  const pattern = textOf(argument);
  if (pattern === undefined) return undefined;
  const isBad = typeof compilePattern(pattern) === 'string';
  return isBad ? { offset: argument!.offset, message: 'invalid matches argument' } : undefined;
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

function checkUniform(parts: readonly Expr[], checked: Checked): Issue | undefined {
  const types = parts.map(part => checked.typeOf.get(part)!);
  const [first] = types;
  const odd = types.findIndex(type => !sameType(type, first!));
  if (odd < 0) return undefined;
  const message = `expected type '${formatType(first!)}' but found '${formatType(types[odd]!)}'`;
  return { offset: parts[odd]!.offset, message };
}

/** Everything written inside the arguments of a `format` call. */
function formatArguments(checked: Checked): ReadonlySet<Expr> {
  const inside = new Set<Expr>();
  const pending: Expr[] = [];
  for (const expr of checked.overloadsOf.keys()) {
    if (expr.kind === 'call' && expr.name === 'format') pending.push(...expr.args);
  }
  for (let expr = pending.pop(); expr; expr = pending.pop()) {
    if (inside.has(expr)) continue;
    inside.add(expr);
    for (const part of partsOf(expr)) pending.push(part);
  }
  return inside;
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'select':
      return [expr.operand];
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}
