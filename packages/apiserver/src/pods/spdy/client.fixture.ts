/** The client's side of SPDY, in few words: as much of it as tests need, with a real compressor. */
import type { Duplex } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';
import { DICTIONARY } from './dictionary.ts';
import { dataFrame, type Frame, FrameReader, pingFrame, resetFrame } from './frames.ts';

export class SpdyClient {
  readonly frames: Frame[] = [];
  /** What came on each stream. */
  readonly received = new Map<number, Buffer[]>();
  readonly ended = new Set<number>();
  readonly #transport: Duplex;
  readonly #deflate = createDeflate({ dictionary: DICTIONARY });
  #nextId = 1;
  closed = false;

  constructor(transport: Duplex) {
    this.#transport = transport;
    const reader = new FrameReader();
    transport.on('error', () => {});
    transport.on('close', () => {
      this.closed = true;
    });
    transport.on('data', (chunk: Buffer) => {
      for (const frame of reader.read(chunk)) this.#receive(frame);
    });
  }

  async open(headers: Readonly<Record<string, string>>, ends = false): Promise<number> {
    const id = this.#nextId;
    this.#nextId += 2;
    this.#transport.write(synStream(id, await this.compress(headerBlock(headers)), ends));
    return id;
  }

  send(id: number, data: Uint8Array, ends = false): boolean {
    return this.#transport.write(dataFrame(id, data, ends));
  }

  reset(id: number): void {
    this.#transport.write(resetFrame(id, 'cancelled'));
  }

  ping(id: number): void {
    this.#transport.write(pingFrame(id));
  }

  raw(bytes: Uint8Array): void {
    this.#transport.write(bytes);
  }

  text(id: number): string {
    return Buffer.concat(this.received.get(id) ?? []).toString();
  }

  size(id: number): number {
    return (this.received.get(id) ?? []).reduce((sum, { length }) => sum + length, 0);
  }

  close(): void {
    this.#transport.destroy();
  }

  compress(block: Buffer): Promise<Buffer> {
    return new Promise(resolve => {
      this.#deflate.write(block);
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve(this.#deflate.read() as Buffer));
    });
  }

  #receive(frame: Frame): void {
    this.frames.push(frame);
    if (frame.type !== 'data') return;
    const parts = this.received.get(frame.id) ?? [];
    this.received.set(frame.id, parts);
    parts.push(frame.data);
    if (frame.ends) this.ended.add(frame.id);
  }
}

export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(headers);
  return Buffer.concat([
    word(entries.length),
    ...entries.flat().flatMap(text => [word(text.length), Buffer.from(text)]),
  ]);
}

export function synStream(id: number, block: Buffer, ends: boolean): Buffer {
  const body = Buffer.concat([word(id), word(0), Buffer.alloc(2), block]);
  return Buffer.concat([Buffer.from([0x80, 3, 0, 1]), word((ends ? 0x0100_0000 : 0) + body.length), body]);
}

export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
