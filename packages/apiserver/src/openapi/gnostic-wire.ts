/** Writes protobuf: messages from JSON objects, by tables of field numbers. */
import type { Json } from '@capstan/kube';

export type JsonRecord = { readonly [key: string]: Json };

/** Bytes in pieces, put together once at the end: a message knows its length before it is copied anywhere. */
export interface Pieces {
  readonly length: number;
  readonly parts: readonly (Buffer | Pieces)[];
}

/** The content of a length-delimited field. */
export type Writer = (value: Json) => Buffer | Pieces;

/** Values that are not length-delimited write their tag themselves. */
export interface PlainWriter {
  asField(number: number, value: Json): Pieces;
}

export type FieldWriter = Writer | PlainWriter | { readonly each: Writer };

/** By the name in JSON. */
export type Fields = Readonly<Record<string, readonly [number: number, write: FieldWriter]>>;

export function concat(parts: readonly (Buffer | Pieces)[]): Pieces {
  let length = 0;
  for (const part of parts) length += part.length;
  return { length, parts };
}

export function toBuffer(pieces: Pieces): Buffer {
  const target = Buffer.alloc(pieces.length);
  copy(pieces, target, 0);
  return target;
}

function copy({ parts }: Pieces, target: Buffer, start: number): void {
  let at = start;
  for (const part of parts) {
    if (Buffer.isBuffer(part)) part.copy(target, at);
    else copy(part, target, at);
    at += part.length;
  }
}

export const field = (number: number, content: Buffer | Pieces): Pieces =>
  concat([varint(number * 8 + 2), varint(content.length), content]);

export const boolean: PlainWriter = {
  asField: (number, value) => concat([varint(number * 8), varint(value === true ? 1 : 0)]),
};

export const int64: PlainWriter = {
  asField: (number, value) => concat([varint(number * 8), varint(BigInt.asUintN(64, BigInt(value as number)))]),
};

export const double: PlainWriter = {
  asField(number, value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value as number);
    return concat([varint(number * 8 + 1), bytes]);
  },
};

function varint(value: number | bigint): Buffer {
  // Most tags and lengths have one byte or two.
  if (value < 0x80) return Buffer.from([Number(value)]);
  if (value < 0x4000) return Buffer.from([(Number(value) & 0x7f) | 0x80, Number(value) >> 7]);
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

/** `extensions` takes the fields that begin with `x-`; others that are not in the table are left out. */
export function message(fields: Fields, extensions?: { readonly number: number; readonly write: Writer }): Writer {
  return value => {
    const parts: Pieces[] = [];
    for (const [name, one] of Object.entries(value as JsonRecord)) {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (known) parts.push(...writeField(...known, one));
      else if (extensions && name.startsWith('x-')) {
        parts.push(field(extensions.number, concat([field(1, Buffer.from(name)), field(2, extensions.write(one))])));
      }
    }
    return concat(parts);
  };
}

function writeField(number: number, write: FieldWriter, value: Json): Pieces[] {
  if (typeof write === 'function') return [field(number, write(value))];
  if ('asField' in write) return [write.asField(number, value)];
  return (value as Json[]).map(item => field(number, write.each(item)));
}
