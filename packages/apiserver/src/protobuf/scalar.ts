/** Single values on the wire as JSON. */
import type { Json } from '@capstan/kube';
import { WireError, type WireValue } from './wire.ts';

export type Scalar = 'string' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes';

export const ZERO: Readonly<Record<Scalar, Json>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: '',
};

export function scalar(type: Scalar, value: WireValue, field: string): Json {
  switch (type) {
    case 'string':
      return bytesOf(value, field).toString('utf8');
    case 'bytes':
      return bytesOf(value, field).toString('base64');
    case 'bool':
      return varintOf(value, field) !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, varintOf(value, field)));
    case 'int64':
      return Number(BigInt.asIntN(64, varintOf(value, field)));
    case 'double':
      if (value.wire !== 'fixed64') throw wrongType(value, field);
      return value.bytes.readDoubleLE();
  }
}

export function bytesOf(value: WireValue, field: string): Buffer {
  if (value.wire !== 'bytes') throw wrongType(value, field);
  return value.bytes;
}

export function varintOf(value: WireValue, field: string): bigint {
  if (value.wire !== 'varint') throw wrongType(value, field);
  return value.value;
}

const WIRE_NUMBERS = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

function wrongType({ wire }: WireValue, field: string): WireError {
  const goName = field.charAt(0).toUpperCase() + field.slice(1);
  return new WireError(`proto: wrong wireType = ${WIRE_NUMBERS[wire]} for field ${goName}`);
}
