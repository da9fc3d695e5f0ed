/** `values.schema.json` of a chart and of those below it. */

import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import type { Chart } from '../chart/chart.ts';
import { HelmError } from '../errors.ts';
import { compileSchema } from './schema-compile.ts';
import { schemaMessage } from './schema-messages.ts';
import { isTable, toJson, type Values, type ValuesNode } from './values.ts';

/** Compiling takes milliseconds and a chart is rendered many times. */
const cacheSize = 64;
const cache = new Map<string, ValidateFunction>();

function validatorOf(schema: Uint8Array): ValidateFunction {
  const key = createHash('sha256').update(schema).digest('base64');
  const known = cache.get(key);
  if (known) return known;
  const compiled = compileSchema(new TextDecoder().decode(schema));
  if (cache.size >= cacheSize) cache.delete(cache.keys().next().value!);
  cache.set(key, compiled);
  return compiled;
}

/** Throws where the values do not meet the schemas, with every violation in the message. */
export function validateValues(chart: Chart, values: Values): void {
  const report = violations(chart, values);
  if (report === '') return;
  throw new HelmError(
    'SchemaViolated',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${report}`,
  );
}

/** What is wrong with the values of a chart by itself, in Helm's words; empty where nothing is. */
export function schemaViolations(schema: Uint8Array, values: Values): string {
  const json = toJson(values);
  try {
    const validate = validatorOf(schema);
    return validate(json) ? '' : `${schemaMessage(validate.errors ?? [])}\n`;
  } catch (error) {
    // Go reads the schema as a stream, which ends too early where a text would.
    return (error as Error).message.replace('unexpected end of JSON input', 'unexpected EOF');
  }
}

function violations(chart: Chart, values: Values): string {
  let report = '';
  if (chart.schema) {
    const own = schemaViolations(chart.schema, values);
    if (own !== '') report += `${chart.metadata.name}:\n${own}`;
  }
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const given = Object.hasOwn(values, name) ? values[name]! : null;
    if (given === null) continue;
    report += isTable(given)
      ? violations(child, given)
      : `${name}:\ninvalid type for values: expected object (map), got ${goType(given)}\n`;
  }
  return report;
}

function goType(node: ValuesNode): string {
  if (Array.isArray(node)) return '[]interface {}';
  if (typeof node === 'boolean') return 'bool';
  if (typeof node === 'bigint') return 'int64';
  return typeof node === 'number' ? 'float64' : 'string';
}
