/**
 * Values to YAML as go-yaml v3 writes them, which is Helm's `toYamlPretty`: lists set in under their keys, long lines whole. No way
 * through JSON here, so a float64 is written as `%g` does (`1e+06`), and a struct by the lower-case names of its fields.
 */

import { GoError } from '../errors.ts';
import { visit } from '../limits.ts';
import { isValidUtf8, toBytes } from '../text/bytes.ts';
import { formatShortest } from '../text/number.ts';
import { GoFunc } from '../value/function.ts';
import { Complex, elementsOf, GoMap, GoNil, Int, type Value } from '../value/values.ts';
import { type Emitted, emit, type Layout } from './emitter.ts';
import { stringScalar } from './encode.ts';
import { compareKeys } from './key-order.ts';

const layout: Layout = { width: Number.POSITIVE_INFINITY, indentSequences: true, tabsInBlocks: true };

/** Throws a GoError for functions and complex numbers. */
export function emitYamlPretty(value: Value): string {
  return emit(toEmitted(value), layout);
}

const plain = (text: string): Emitted => ({ kind: 'scalar', text, style: 'plain' });

function toEmitted(value: Value): Emitted {
  visit(typeof value === 'string' ? value.length : 0);
  switch (typeof value) {
    case 'string':
      return isValidUtf8(value) ? stringScalar(value) : binaryScalar(value);
    case 'number':
      return plain(floatText(value));
    case 'boolean':
      return plain(String(value));
    case 'undefined':
      return plain('null');
  }
  if (value === null || value instanceof GoNil) return plain('null');
  if (value instanceof Complex || value instanceof GoFunc) throw new GoError('cannot marshal type');
  const elements = elementsOf(value);
  if (elements) return { kind: 'sequence', items: elements.map(toEmitted) };
  if (value instanceof GoMap) return mapping(value.keys().map(key => [key, value.get(key)]));
  if ('type' in value && value.type.text && !(value instanceof Int && value.type.kind === 'int')) {
    return stringScalar(value.type.text(value as never));
  }
  if (value instanceof Int) return plain(value.value.toString());
  const fields = 'fields' in value ? value.fields.filter(field => !field.hidden) : [];
  return {
    kind: 'mapping',
    entries: fields.map(field => [stringScalar(field.name.toLowerCase()), toEmitted(field.value)]),
  };
}

function mapping(entries: readonly (readonly [string, Value])[]): Emitted {
  const sorted = entries.toSorted(([a], [b]) => compareKeys(a, b, 3));
  return { kind: 'mapping', entries: sorted.map(([key, value]) => [toEmitted(key), toEmitted(value)]) };
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatShortest(value);
}

/** What is not UTF-8 goes as base64, in lines of seventy. */
function binaryScalar(text: string): Emitted {
  const encoded = Buffer.from(toBytes(text)).toString('base64');
  const lines = encoded.length > 70 ? `${encoded.match(/.{1,70}/g)!.join('\n')}\n` : encoded;
  return { kind: 'scalar', text: lines, style: lines.includes('\n') ? 'literal' : 'plain', tag: '!!binary' };
}
