/** Names and values of a stream. All blocks of one direction are one zlib stream that begins with the dictionary. */
import { constants, createInflate, type Inflate } from 'node:zlib';
import { DICTIONARY } from './dictionary.ts';
import { ProtocolError } from './frames.ts';

export type Headers = ReadonlyMap<string, string>;

/** What a block may grow to; the streams of Kubernetes have three short headers. */
const BLOCK_LIMIT = 64 * 1024;

/** Reads the blocks of one connection, in their order. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });
  #parts: Buffer[] = [];
  #size = 0;

  constructor() {
    this.#inflate.on('error', () => {}); // the write that caused it fails with it
    this.#inflate.on('data', (part: Buffer) => {
      this.#parts.push(part);
      this.#size += part.length;
      if (this.#size > BLOCK_LIMIT) this.#inflate.destroy(new ProtocolError('headers beyond all measure'));
    });
  }

  async read(block: Buffer): Promise<Headers> {
    this.#parts = [];
    this.#size = 0;
    await new Promise<void>((resolve, reject) => {
      const close = (): void => reject(new ProtocolError('headers that are not compressed as agreed'));
      if (this.#inflate.destroyed) {
        close();
        return;
      }
      this.#inflate.once('close', close);
      this.#inflate.write(block, error => {
        this.#inflate.off('close', close);
        // Destroyed for its size, it calls back as if all were well.
        if (error || this.#inflate.destroyed) close();
        else resolve();
      });
    });
    return parseHeaders(Buffer.concat(this.#parts));
  }

  close(): void {
    this.#inflate.destroy();
  }
}

/** A count, then so many names and values, each after its length. */
export function parseHeaders(bytes: Buffer): Headers {
  const headers = new Map<string, string>();
  let position = 0;
  const number = (): number => {
    if (position + 4 > bytes.length) throw new ProtocolError('headers that end too soon');
    position += 4;
    return bytes.readUInt32BE(position - 4);
  };
  const text = (): string => {
    const length = number();
    if (position + length > bytes.length) throw new ProtocolError('headers that end too soon');
    position += length;
    return bytes.toString('latin1', position - length, position);
  };
  for (let left = number(); left > 0; left--) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}

/** An empty block of headers, as every reply of ours has it: a count of zero. */
const NO_HEADERS = Buffer.alloc(4);

/**
 * Writes empty blocks. Deflate has blocks that are stored as they are, and with those alone no compressor is needed; the empty one at
 * the end is what makes the other side pass on what it has.
 */
export class EmptyHeaderWriter {
  #begun = false;

  next(): Buffer {
    const block = Buffer.concat([storedBlock(NO_HEADERS), storedBlock(Buffer.alloc(0))]);
    if (this.#begun) return block;
    this.#begun = true;
    return Buffer.concat([ZLIB_HEADER, block]);
  }
}

function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/** Deflate with a window of 32 KiB and a dictionary, of which the check sum follows. */
const ZLIB_HEADER = Buffer.concat([Buffer.from([0x78, 0xbb]), adler32(DICTIONARY)]);

function adler32(bytes: Buffer): Buffer {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE(b, 0);
  sum.writeUInt16BE(a, 2);
  return sum;
}
