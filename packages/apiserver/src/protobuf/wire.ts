/** The wire format of protobuf: a message is a row of numbered values. */

/** The bytes are no protobuf; the message is what Kubernetes says of the same bytes. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export type WireValue =
  | { readonly wire: 'varint'; readonly value: bigint }
  | { readonly wire: 'fixed64' | 'fixed32' | 'bytes'; readonly bytes: Buffer };

export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

const END = 'unexpected EOF';
const OVERFLOW = 'proto: integer overflow';

/** The fields in the order in which they were written. `name` is that of the message, which errors name. */
export function* fieldsOf(message: Buffer, name: string): Generator<WireField> {
  const reader = new Reader(message);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const number = Number(BigInt.asIntN(32, tag >> 3n));
    if ((tag & 7n) === END_OF_GROUP) throw new WireError(`proto: ${shortName(name)}: wiretype end group for non-group`);
    if (number <= 0) throw new WireError(`proto: ${shortName(name)}: illegal tag ${number} (wire type ${tag & 7n})`);
    yield { number, value: readValue(reader, Number(tag & 7n)) };
  }
}

const END_OF_GROUP = 4n;

const shortName = (message: string): string => message.slice(message.lastIndexOf('.') + 1);

function readValue(reader: Reader, type: number): WireValue {
  switch (type) {
    case 0:
      return { wire: 'varint', value: reader.varint() };
    case 1:
      return { wire: 'fixed64', bytes: reader.bytes(8) };
    case 2:
      return { wire: 'bytes', bytes: reader.bytes(reader.length()) };
    case 5:
      return { wire: 'fixed32', bytes: reader.bytes(4) };
    default:
      // 3 and 4 are groups, which no type of Kubernetes has.
      throw new WireError(`proto: illegal wireType ${type}`);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    // Nearly all numbers have one byte; they are not worth a BigInt's arithmetic.
    const first = this.#bytes[this.#at];
    if (first !== undefined && first < 0x80) {
      this.#at++;
      return BigInt(first);
    }
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (shift >= 64n) throw new WireError(OVERFLOW);
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError(END);
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, result);
    }
  }

  length(): number {
    const length = BigInt.asIntN(64, this.varint());
    if (length < 0n) throw new WireError('proto: negative length found during unmarshaling');
    if (length > BigInt(this.#bytes.length - this.#at)) throw new WireError(END);
    return Number(length);
  }

  bytes(count: number): Buffer {
    if (count > this.#bytes.length - this.#at) throw new WireError(END);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}
