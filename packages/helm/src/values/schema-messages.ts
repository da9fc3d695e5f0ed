/** What a schema has against values, in the words of Helm's validator: a line for each violation, with where it is. */

import { sprintf } from '@capstan/gotemplate';
import type { ErrorObject } from 'ajv';

interface Violation {
  readonly at: string;
  readonly schemaPath: string;
  readonly text: string;
  readonly causes: Violation[];
}

export function schemaMessage(errors: readonly ErrorObject[]): string {
  return lines(nested(merged(errors)), 0);
}

function lines(violations: readonly Violation[], depth: number): string {
  return violations
    .map(({ at, text, causes }) => {
      const own = `${'  '.repeat(depth)}- at ${quote(at)}: ${text}`;
      return causes.length === 0 ? own : `${own}\n${lines(causes, depth + 1)}`;
    })
    .join('\n');
}

/** The validator names all missing, or all unknown, keys of a table in one line. */
function merged(errors: readonly ErrorObject[]): Violation[] {
  const groups = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const together = ['required', 'additionalProperties', 'unevaluatedProperties'].includes(error.keyword);
    const key = together ? `${error.instancePath} ${error.schemaPath}` : `${groups.size} ${error.schemaPath}`;
    groups.set(key, [...(groups.get(key) ?? []), error]);
  }
  return [...groups.values()].map(group => ({
    at: group[0]!.instancePath,
    schemaPath: group[0]!.schemaPath,
    text: textOf(group),
    causes: [],
  }));
}

const composite = /\/(anyOf|oneOf|if)$/;

/** Puts the violations of alternatives under the violation of the whole, which comes after them. */
function nested(flat: readonly Violation[]): Violation[] {
  const out: Violation[] = [];
  for (const violation of flat) {
    if (composite.test(violation.schemaPath)) {
      const inside = (other: Violation) =>
        other.schemaPath.startsWith(`${violation.schemaPath}/`) && other.at.startsWith(violation.at);
      violation.causes.push(...out.filter(inside));
      const rest = out.filter(other => !inside(other));
      out.length = 0;
      out.push(...rest);
    }
    out.push(violation);
  }
  return out;
}

/** Go's `%q` within single quotes. */
function quote(text: string): string {
  return `'${sprintf('%q', [text]).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const list = (names: readonly string[]): string => names.map(quote).join(', ');

function display(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return '<nil>';
  return typeof value === 'object' ? 'value' : String(value);
}

const number = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 20 }) : String(value);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function textOf(group: readonly ErrorObject[]): string {
  const [error] = group as [ErrorObject];
  const { keyword, params, data, schema } = error;
  switch (keyword) {
    case 'type':
      return `got ${kindOf(data)}, want ${[(params as { type: string | string[] }).type].flat().join(' or ')}`;
    case 'required': {
      const missing = group.map(each => (each.params as { missingProperty: string }).missingProperty);
      return `missing ${missing.length === 1 ? 'property' : 'properties'} ${list(missing)}`;
    }
    case 'additionalProperties':
      return `additional properties ${list(group.map(each => (each.params as { additionalProperty: string }).additionalProperty))} not allowed`;
    case 'enum': {
      const allowed = (params as { allowedValues: unknown[] }).allowedValues;
      if (allowed.some(value => typeof value === 'object' && value !== null)) return "'enum' failed";
      return `value must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(display).join(', ')}`;
    }
    case 'const':
      return typeof schema === 'object' && schema !== null ? "'const' failed" : `value must be ${display(schema)}`;
    case 'pattern':
      return `${quote(String(data))} does not match pattern ${quote((params as { pattern: string }).pattern)}`;
    case 'format':
      return `${display(data)} is not valid ${(params as { format: string }).format}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return `${keyword}: got ${number(data)}, want ${number(schema)}`;
    case 'minLength':
    case 'maxLength':
      return `${keyword}: got ${number([...String(data)].length)}, want ${number(schema)}`;
    case 'minItems':
    case 'maxItems':
      return `${keyword}: got ${number((data as unknown[]).length)}, want ${number(schema)}`;
    case 'minProperties':
    case 'maxProperties':
      return `${keyword}: got ${number(Object.keys(data as object).length)}, want ${number(schema)}`;
    case 'uniqueItems': {
      const { i, j } = params as { i: number; j: number };
      return `items at ${Math.min(i, j)} and ${Math.max(i, j)} are equal`;
    }
    case 'oneOf': {
      const passing = (params as { passingSchemas: number[] | null }).passingSchemas;
      return passing ? `'oneOf' failed, subschemas ${passing.join(', ')} matched` : "'oneOf' failed, none matched";
    }
    case 'dependentRequired':
    case 'dependencies': {
      const { property, missingProperty } = params as { property: string; missingProperty: string };
      return `properties ${quote(missingProperty)} required, if ${quote(property)} exists`;
    }
    case 'propertyNames':
      return `invalid propertyName ${quote((params as { propertyName: string }).propertyName)}`;
    case 'false schema':
      return 'false schema';
    default:
      return `'${keyword}' failed`;
  }
}
