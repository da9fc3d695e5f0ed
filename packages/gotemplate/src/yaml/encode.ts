/**
 * Values to YAML as sigs.k8s.io/yaml does it: the value as JSON, that read as YAML, and that written by go-yaml v2. We go the
 * whole way only where a step changes something.
 */

import { GoError } from '../errors.ts';
import { encodeJson, encodeNumber, encodeString } from '../json/encode.ts';
import { visit } from '../limits.ts';
import { formatShortest, MAX_INT64, MAX_UINT64, MIN_INT64 } from '../text/number.ts';
import { GoFunc } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { Complex, GoMap, GoNil, GoSlice, Int, type Value } from '../value/values.ts';
import { parseYaml } from './decode.ts';
import { type Emitted, emit, type Layout } from './emitter.ts';
import { compareKeys } from './key-order.ts';
import { resolve } from './resolve.ts';

const layout: Layout = { width: 80, indentSequences: false, tabsInBlocks: false };

/** `yaml.Marshal`. Throws a GoError for what JSON cannot say. */
export function emitYaml(value: Value): string {
  return emit(toEmitted(value), layout);
}

const plain = (text: string): Emitted => ({ kind: 'scalar', text, style: 'plain' });

function toEmitted(value: Value): Emitted {
  visit(typeof value === 'string' ? value.length : 0);
  switch (typeof value) {
    case 'string':
      return stringScalar(throughJson(value));
    case 'number':
      return plain(numberText(encodeNumber(value)));
    case 'boolean':
      return plain(String(value));
    case 'undefined':
      return plain('null');
  }
  if (value === null || value instanceof GoNil) return plain('null');
  if (value instanceof Complex || value instanceof GoFunc) {
    return explainJson(() => plain(encodeJson(value)));
  }
  if (value instanceof Uint8Array) return stringScalar(Buffer.from(value).toString('base64'));
  if (value.type.json) return toEmitted(parseYaml(value.type.json(value as never)));
  if (value instanceof Int) return plain(numberText(value.value.toString()));
  if (value instanceof GoSlice) {
    return value.isNil ? plain('null') : { kind: 'sequence', items: value.items.map(toEmitted) };
  }
  if (value instanceof GoMap) {
    return value.isNil ? plain('null') : mapping(value.keys().map(key => [key, value.get(key)]));
  }
  const fields = value.fields.filter(
    field => !field.hidden && field.json !== '-' && !(field.omitEmpty && !isTrue(field.value)),
  );
  return mapping(fields.map(field => [field.json ?? field.name, field.value]));
}

function explainJson<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`error marshaling into JSON: ${error.message}`);
    throw error;
  }
}

function mapping(entries: readonly (readonly [string, Value])[]): Emitted {
  const sorted = entries
    .map(([key, value]) => [throughJson(key), value] as const)
    .sort(([a], [b]) => compareKeys(a, b));
  return { kind: 'mapping', entries: sorted.map(([key, value]) => [stringScalar(key), toEmitted(value)]) };
}

const changedByYaml = /[\u007f-\u009f\ufeff\ufffe\uffff]/;

/** A string after the way through JSON (which replaces what is not UTF-8) and YAML (which folds or refuses some controls). */
function throughJson(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return changedByYaml.test(wellFormed) ? (parseYaml(encodeString(wellFormed, true)) as string) : wellFormed;
}

/** A JSON number read as YAML and written again: integers stay, floats get the shortest form of `%g`. */
function numberText(json: string): string {
  if (/^-?[0-9]+$/.test(json)) {
    const whole = BigInt(json);
    if (whole >= MIN_INT64 && whole <= (whole < 0n ? MAX_INT64 : MAX_UINT64)) return json === '-0' ? '0' : json;
  }
  return formatShortest(Number(json));
}

/** Sexagesimal numbers are strings to go-yaml, but quoted for readers that take YAML 1.1 at its word. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** A string with quotes where it would otherwise be read as something else. */
export function stringScalar(text: string): Emitted {
  if (text.includes('\n')) return { kind: 'scalar', text, style: 'literal' };
  const isString = resolve(text).type === 'str' && !base60.test(text);
  return { kind: 'scalar', text, style: isString ? 'plain' : 'double' };
}
