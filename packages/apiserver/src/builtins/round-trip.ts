/**
 * What is left of an object when Kubernetes has decoded it into Go structs and encoded it again, which happens on every
 * write: empty values of optional fields are gone, required ones are there, quantities and times have their canonical form.
 */
import { canonicalQuantity, deepClone, formatQuantity, parseQuantity, timestamp } from '@capstan/kube';
import { type GoField, type GoShape, type GoStruct, goStruct, isAlwaysWritten } from './go-struct.ts';

type JsonObject = Record<string, unknown>;

/** Brings an object of `definition` into the form in which Kubernetes stores it, in place. It has passed `decodeErrors`. */
export function roundTrip(object: JsonObject, definition: string): void {
  normaliseStruct(object, goStruct(definition));
}

const zeros = new Map<string, JsonObject>();

/** An object of `definition` in which nothing has been set: `{}`, or more where fields are always written. */
export function zeroStruct(definition: string): JsonObject {
  let zero = zeros.get(definition);
  if (zero === undefined) {
    zero = {};
    roundTrip(zero, definition);
    zeros.set(definition, zero);
  }
  return deepClone(zero);
}

/** Of the many fields of a struct few are present: those, and the ones that are written anyway, are all there is to do. */
function normaliseStruct(object: JsonObject, struct: GoStruct): void {
  for (const name in object) {
    const field = struct.byName.get(name);
    if (field === undefined) continue;
    const before = object[name];
    const after = field.isForgotten ? undefined : fieldValue(field, before ?? field.default);
    if (after === undefined) delete object[name];
    else if (after !== before) object[name] = after;
  }
  for (const field of struct.written) {
    if (object[field.name] !== undefined) continue;
    const value = fieldValue(field, field.default);
    if (value !== undefined) object[field.name] = value;
  }
}

/** What stands in the field afterwards; undefined for nothing. */
function fieldValue(field: GoField, value: unknown): unknown {
  if (field.pointer) return pointerValue(field, value);
  const present = value === undefined || value === null ? undefined : normalise(value, field.shape);
  const isEmpty = present === undefined || isZero(present, field.shape);
  if (!isEmpty) return present;
  if (field.omitEmpty && !isAlwaysWritten(field)) return undefined;
  return field.omitZero ? undefined : zeroValue(field.shape);
}

function pointerValue({ shape, omitEmpty }: GoField, value: unknown): unknown {
  if (value !== undefined && value !== null) return normalise(value, shape);
  return omitEmpty ? undefined : null;
}

/** Whether `omitempty` leaves the value out. */
function isZero(value: unknown, shape: GoShape): boolean {
  switch (shape.kind) {
    case 'list':
      return (value as unknown[]).length === 0;
    case 'map':
      return Object.keys(value as JsonObject).length === 0;
    case 'string':
    case 'bytes':
      return value === '';
    case 'boolean':
      return value === false;
    case 'integer':
    case 'number':
      return value === 0;
    default:
      return false;
  }
}

function zeroValue(shape: GoShape): unknown {
  switch (shape.kind) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0;
    case 'quantity':
    case 'milli-quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'struct':
      return zeroStruct(shape.definition);
    default:
      return null;
  }
}

function normalise(value: unknown, shape: GoShape): unknown {
  switch (shape.kind) {
    case 'struct':
      normaliseStruct(value as JsonObject, goStruct(shape.definition));
      return value;
    case 'list':
      return normaliseList(value as unknown[], shape.items);
    case 'map':
      return normaliseMap(value as JsonObject, shape.values);
    case 'quantity':
      return canonicalQuantity(typeof value === 'string' ? value.trim() : (value as number));
    case 'milli-quantity':
      return milliQuantity(typeof value === 'string' ? value.trim() : (value as number));
    case 'time':
      return canonicalTime(value as string);
    case 'bytes':
      return Buffer.from(value as string, 'base64').toString('base64');
    default:
      return value;
  }
}

function normaliseList(list: unknown[], items: GoShape): unknown[] {
  for (let index = 0; index < list.length; index++) {
    const after = list[index] === null ? zeroValue(items) : normalise(list[index], items);
    if (after !== list[index]) list[index] = after;
  }
  return list;
}

function normaliseMap(map: JsonObject, values: GoShape): JsonObject {
  if (values.kind === 'string') {
    // By far the most frequent map, and nothing in it changes but null.
    for (const key in map) if (map[key] === null) map[key] = '';
    return map;
  }
  for (const [key, value] of Object.entries(map)) {
    const after = value === null ? zeroValue(values) : normalise(value, values);
    if (after !== value) map[key] = after;
  }
  return map;
}

const NANOS_IN_MILLI = 1_000_000n;

/** Amounts of resources are counted in thousandths; less than that is rounded up, so that asking for some gives some. */
function milliQuantity(value: string | number): string {
  const quantity = parseQuantity(value);
  const beyond = quantity.nanos % NANOS_IN_MILLI;
  if (beyond === 0n) return formatQuantity(quantity);
  const nanos = quantity.nanos - beyond + (quantity.nanos > 0n ? NANOS_IN_MILLI : -NANOS_IN_MILLI);
  return formatQuantity({ nanos, format: quantity.format });
}

/** metav1.Time is kept in whole seconds of UTC. Nearly all come in that form already. */
function canonicalTime(text: string): string {
  if (text.length === 20 && text.endsWith('Z')) return text;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : timestamp(milliseconds);
}
