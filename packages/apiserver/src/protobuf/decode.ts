/**
 * Bodies of `application/vnd.kubernetes.protobuf`: four bytes, then a `runtime.Unknown` that names the kind and holds the
 * object. What comes out is the JSON that Go would have written for it, and goes the way of every other body from there.
 */
import type { Json } from '@capstan/kube';
import { beginning } from '../schema/decode.ts';
import { assign, isObject, type JsonObject } from '../schema/json.ts';
import { badRequest, StatusError } from '../status.ts';
import { type Message, type MessageField, messageOf, messageOfKind } from './message-table.ts';
import { bytesOf, scalar, ZERO } from './scalar.ts';
import { specialMessage } from './special-messages.ts';
import { fieldsOf, WireError, type WireValue } from './wire.ts';

const PREFIX = Buffer.from('k8s\0', 'latin1');
/** As deep as a body in JSON may be. */
const MAX_DEPTH = 1000;

/** The body is no protobuf of Kubernetes: a 400 in its words. */
export class ProtobufError extends StatusError {
  /** What it says that it is, where only the object inside is broken. */
  readonly of: TypeName | undefined;

  constructor(message: string, of?: TypeName) {
    super(badRequest(message).status);
    this.of = of;
  }
}

/** What an object says that it is. */
export interface TypeName {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The object in a body; one that does not say what it is is taken for `expected`. Of a kind that has no message there is only
 * its name: whoever asked refuses it by that.
 */
export function decodeProtobuf(bytes: Buffer, expected: TypeName): Json {
  const { raw, ...given } = orRefuse(
    () => envelope(bytes),
    why => new ProtobufError(`${why} (${beginning(bytes)})`),
  );
  const type = { kind: given.kind || expected.kind, apiVersion: given.apiVersion || expected.apiVersion };
  const message = messageOfKind(type.apiVersion, type.kind);
  if (message === undefined) return { ...type };
  const object = orRefuse(
    () => decodeMessage(message, raw, 1),
    why => new ProtobufError(why, type),
  );
  return { ...type, ...(object as JsonObject) };
}

function orRefuse<T>(decode: () => T, refusal: (why: string) => ProtobufError): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof WireError ? refusal(error.message) : error;
  }
}

function envelope(bytes: Buffer): TypeName & { raw: Buffer } {
  if (bytes.length === 0) throw new WireError('empty data');
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) {
    throw new WireError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  let apiVersion = '';
  let kind = '';
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, value } of fieldsOf(bytes.subarray(PREFIX.length), 'Unknown')) {
    if (number === 1) {
      for (const inner of fieldsOf(bytesOf(value, 'typeMeta'), 'TypeMeta')) {
        if (inner.number === 1) apiVersion = bytesOf(inner.value, 'apiVersion').toString();
        if (inner.number === 2) kind = bytesOf(inner.value, 'kind').toString();
      }
    } else if (number === 2) raw = bytesOf(value, 'raw');
  }
  return { kind, apiVersion, raw };
}

function decodeMessage(name: string, bytes: Buffer, depth: number): Json {
  if (depth > MAX_DEPTH) throw new WireError('exceeded max depth');
  const special = specialMessage(name);
  if (special !== undefined) return special(bytes, (inner, message) => decodeMessage(inner, message, depth + 1));
  const message = messageOf(name);
  return message.kind === 'list' ? decodeList(message, bytes, depth) : decodeStruct(message, bytes, {}, depth);
}

type Struct = Extract<Message, { kind: 'struct' }>;

function decodeList({ name, items }: Extract<Message, { kind: 'list' }>, bytes: Buffer, depth: number): Json[] {
  return [...fieldsOf(bytes, name)].filter(field => field.number === 1).map(field => single(items, field.value, depth));
}

/** Into `target`: a message that comes twice is put together from both, as protobuf has it. */
function decodeStruct({ name, fields }: Struct, bytes: Buffer, target: JsonObject, depth: number): JsonObject {
  for (const { number, value } of fieldsOf(bytes, name)) {
    const field = fields.get(number);
    if (field === undefined) continue; // of a newer Kubernetes than ours
    switch (field.shape) {
      case 'list':
        addItems(field, value, target, depth);
        break;
      case 'map':
        addEntry(field, value, target, depth);
        break;
      case 'one':
        setField(field, value, target, depth);
        break;
    }
  }
  return target;
}

function setField(field: MessageField, value: WireValue, target: JsonObject, depth: number): void {
  if ('message' in field.type && specialMessage(field.type.message) === undefined) {
    const message = messageOf(field.type.message);
    if (message.kind === 'struct') {
      const before = field.name === '.' ? target : target[field.name];
      if (depth > MAX_DEPTH) throw new WireError('exceeded max depth');
      const into = isObject(before) ? before : {};
      const decoded = decodeStruct(message, bytesOf(value, field.name), into, depth + 1);
      if (field.name !== '.' && !(field.omitEmpty && Object.keys(decoded).length === 0)) target[field.name] = decoded;
      return;
    }
  }
  const decoded = single(field, value, depth);
  if (field.omitEmpty && isEmpty(field, decoded)) delete target[field.name];
  else target[field.name] = decoded;
}

/** Strings, numbers and booleans of Go are always written; an empty one was most likely never set. */
function isEmpty({ type }: MessageField, value: Json): boolean {
  return 'scalar' in type ? value === ZERO[type.scalar] : value === null;
}

function addItems(field: MessageField, value: WireValue, target: JsonObject, depth: number): void {
  const items = (target[field.name] ??= []) as Json[];
  items.push(single(field, value, depth));
}

function addEntry(field: MessageField, value: WireValue, target: JsonObject, depth: number): void {
  let key = '';
  let entry: Json | undefined;
  for (const inner of fieldsOf(bytesOf(value, field.name), field.name)) {
    if (inner.number === 1) key = bytesOf(inner.value, field.name).toString();
    if (inner.number === 2) entry = single(field, inner.value, depth);
  }
  assign((target[field.name] ??= {}) as JsonObject, key, entry ?? emptyValue(field, depth));
}

const emptyValue = (field: MessageField, depth: number): Json =>
  'scalar' in field.type ? ZERO[field.type.scalar] : decodeMessage(field.type.message, Buffer.alloc(0), depth + 1);

function single(field: MessageField, value: WireValue, depth: number): Json {
  if ('scalar' in field.type) return scalar(field.type.scalar, value, field.name);
  return decodeMessage(field.type.message, bytesOf(value, field.name), depth + 1);
}
