/** Messages whose JSON is not their fields: Go gives these types a `MarshalJSON` of their own. */
import { type Json, timestamp } from '@capstan/kube';
import { parseJson } from '../schema/decode.ts';
import { bytesOf, varintOf } from './scalar.ts';
import { fieldsOf, WireError, type WireValue } from './wire.ts';

const MACHINERY = 'io.k8s.apimachinery.pkg.';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';

/** `inner` reads a message of the given name. */
export type SpecialMessage = (message: Buffer, inner: (name: string, message: Buffer) => Json) => Json;

const SCHEMA = `${EXTENSIONS}JSONSchemaProps`;

const SPECIAL: ReadonlyMap<string, SpecialMessage> = new Map<string, SpecialMessage>([
  [`${MACHINERY}util.intstr.IntOrString`, intOrString],
  [`${MACHINERY}api.resource.Quantity`, message => text(last(message, 1), 'string')],
  [`${MACHINERY}apis.meta.v1.Time`, message => time(message, () => '')],
  [`${MACHINERY}apis.meta.v1.MicroTime`, message => time(message, microseconds)],
  [`${MACHINERY}apis.meta.v1.FieldsV1`, rawJson],
  [`${MACHINERY}runtime.RawExtension`, rawJson],
  [`${EXTENSIONS}JSON`, rawJson],
  [
    `${EXTENSIONS}JSONSchemaPropsOrArray`,
    (message, inner) =>
      either(message, 1, inner) ?? all(message, 2).map(one => inner(SCHEMA, bytesOf(one, 'JSONSchemas'))),
  ],
  [
    `${EXTENSIONS}JSONSchemaPropsOrBool`,
    (message, inner) => either(message, 2, inner) ?? number(last(message, 1), 'allows') !== 0n,
  ],
  [
    `${EXTENSIONS}JSONSchemaPropsOrStringArray`,
    (message, inner) => either(message, 1, inner) ?? all(message, 2).map(one => text(one, 'property')),
  ],
]);

export function specialMessage(name: string): SpecialMessage | undefined {
  return SPECIAL.get(name);
}

/** For the generator: these are not in its table, but what they contain is. */
export function contentsOfSpecial(name: string): readonly string[] | undefined {
  if (!SPECIAL.has(name)) return undefined;
  return name.startsWith(SCHEMA) ? [SCHEMA] : [];
}

function intOrString(message: Buffer): Json {
  const isText = number(last(message, 1), 'type') === 1n;
  return isText ? text(last(message, 3), 'strVal') : Number(BigInt.asIntN(32, number(last(message, 2), 'intVal')));
}

/** The seconds of the year 10000, from which on RFC 3339 has no word. */
const END_OF_TIME = 253_402_300_800;
const BEGINNING_OF_TIME = -62_135_596_800;

/** A time that was never set is an empty message, and null. */
function time(message: Buffer, fraction: (nanos: number) => string): Json {
  if (message.length === 0) return null;
  const seconds = Number(BigInt.asIntN(64, number(last(message, 1), 'seconds')));
  const nanos = Number(BigInt.asIntN(32, number(last(message, 2), 'nanos')));
  if (seconds < BEGINNING_OF_TIME || seconds >= END_OF_TIME || nanos < 0 || nanos >= 1e9) {
    throw new WireError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  return timestamp(seconds * 1000).replace(/Z$/, `${fraction(nanos)}Z`);
}

const microseconds = (nanos: number): string => `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`;

function rawJson(message: Buffer): Json {
  const raw = last(message, 1);
  const bytes = raw === undefined ? Buffer.alloc(0) : bytesOf(raw, 'raw');
  return bytes.length === 0 ? null : parseJson(bytes).value;
}

function either(message: Buffer, field: number, inner: (name: string, message: Buffer) => Json): Json | undefined {
  const schema = last(message, field);
  return schema === undefined ? undefined : inner(SCHEMA, bytesOf(schema, 'schema'));
}

const all = (message: Buffer, number: number): WireValue[] =>
  [...fieldsOf(message, 'value')].filter(field => field.number === number).map(field => field.value);

const last = (message: Buffer, number: number): WireValue | undefined => all(message, number).at(-1);

const text = (value: WireValue | undefined, field: string): string =>
  value === undefined ? '' : bytesOf(value, field).toString('utf8');

const number = (value: WireValue | undefined, field: string): bigint =>
  value === undefined ? 0n : varintOf(value, field);
