/**
 * The frames of SPDY/3.1, as far as port-forward and its kin need them. All numbers are big-endian:
 *
 *     control:  1 | version (15) | type (16) | flags (8) | length (24) | …
 *     data:     0 | stream (31)              | flags (8) | length (24) | …
 */

export type Frame =
  /** The client opens a stream. `block` holds its headers, compressed. */
  | { readonly type: 'syn-stream'; readonly id: number; readonly ends: boolean; readonly block: Buffer }
  /** Headers that mean nothing here, but that later ones are compressed against. */
  | { readonly type: 'headers'; readonly block: Buffer }
  | { readonly type: 'reset'; readonly id: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'go-away' }
  /** Settings and windows: Kubernetes does not use them, neither do we. */
  | { readonly type: 'ignored' }
  /** A piece of a data frame; `ends` only on the last piece of the last frame of a stream. */
  | { readonly type: 'data'; readonly id: number; readonly ends: boolean; readonly data: Buffer };

/** The other side does not speak SPDY as we know it; the connection is of no more use. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const HEADER_BYTES = 8;
/** Headers are a handful of short words. */
const CONTROL_LIMIT = 64 * 1024;
const VERSION = 3;
const CONTROL_BIT = 0x8000;
const FLAG_FIN = 0x01;

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const HEADERS = 8;
const WINDOW_UPDATE = 9;

/** Cuts bytes into frames. Data is passed on as it comes, so that nothing larger than a control frame is ever held. */
export class FrameReader {
  #held: Buffer = Buffer.alloc(0);
  /** The data frame that the next bytes belong to. */
  #data: { readonly id: number; readonly ends: boolean; left: number } | undefined;

  *read(chunk: Buffer): Generator<Frame> {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    for (;;) {
      if (this.#data) {
        const { id, ends, left } = this.#data;
        if (rest.length === 0 && left > 0) return;
        const data = rest.subarray(0, left);
        rest = rest.subarray(data.length);
        this.#data = data.length === left ? undefined : { id, ends, left: left - data.length };
        yield { type: 'data', id, ends: ends && !this.#data, data };
        continue;
      }
      if (rest.length < HEADER_BYTES) break;
      const length = rest.readUIntBE(5, 3);
      if ((rest.readUInt16BE(0) & CONTROL_BIT) === 0) {
        this.#data = { id: streamId(rest.readUInt32BE(0)), ends: (rest[4]! & FLAG_FIN) !== 0, left: length };
        rest = rest.subarray(HEADER_BYTES);
        continue;
      }
      if (length > CONTROL_LIMIT) throw new ProtocolError(`a control frame of ${length} bytes`);
      if (rest.length < HEADER_BYTES + length) break;
      const frame = controlFrame(rest, rest.subarray(HEADER_BYTES, HEADER_BYTES + length));
      rest = rest.subarray(HEADER_BYTES + length);
      yield frame;
    }
    // A copy: what is held must not keep a large chunk alive.
    this.#held = Buffer.from(rest);
  }
}

function controlFrame(header: Buffer, body: Buffer): Frame {
  const version = header.readUInt16BE(0) & ~CONTROL_BIT;
  const type = header.readUInt16BE(2);
  if (version !== VERSION) throw new ProtocolError(`a frame of version ${version}`);
  switch (type) {
    case SYN_STREAM:
      requireBytes(body, 10);
      return {
        type: 'syn-stream',
        id: streamId(body.readUInt32BE(0)),
        ends: (header[4]! & FLAG_FIN) !== 0,
        block: body.subarray(10),
      };
    case SYN_REPLY:
    case HEADERS:
      requireBytes(body, 4);
      return { type: 'headers', block: body.subarray(4) };
    case RST_STREAM:
      requireBytes(body, 8);
      return { type: 'reset', id: streamId(body.readUInt32BE(0)) };
    case PING:
      requireBytes(body, 4);
      return { type: 'ping', id: body.readUInt32BE(0) };
    case GOAWAY:
      return { type: 'go-away' };
    case SETTINGS:
    case WINDOW_UPDATE:
      return { type: 'ignored' };
    default:
      throw new ProtocolError(`a frame of the unknown type ${type}`);
  }
}

function requireBytes(body: Buffer, count: number): void {
  if (body.length < count) throw new ProtocolError(`a frame of ${body.length} bytes that needs ${count}`);
}

function streamId(word: number): number {
  const id = word & 0x7fff_ffff;
  if (id === 0) throw new ProtocolError('a frame for stream 0');
  return id;
}

export type ResetReason = 'protocol error' | 'refused' | 'cancelled';

const RESET_CODES: Readonly<Record<ResetReason, number>> = { 'protocol error': 1, refused: 3, cancelled: 5 };

export const synReplyFrame = (id: number, block: Buffer): Buffer =>
  Buffer.concat([control(SYN_REPLY, 4 + block.length), word(id), block]);

export const resetFrame = (id: number, reason: ResetReason): Buffer =>
  Buffer.concat([control(RST_STREAM, 8), word(id), word(RESET_CODES[reason])]);

export const pingFrame = (id: number): Buffer => Buffer.concat([control(PING, 4), word(id)]);

export const goAwayFrame = (lastStreamId: number): Buffer =>
  Buffer.concat([control(GOAWAY, 8), word(lastStreamId), word(0)]);

/** The length has 24 bits. */
export const DATA_LIMIT = 0xff_ffff;

export function dataFrame(id: number, data: Uint8Array, ends: boolean): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + data.length);
  frame.writeUInt32BE(id, 0);
  frame[4] = ends ? FLAG_FIN : 0;
  frame.writeUIntBE(data.length, 5, 3);
  frame.set(data, HEADER_BYTES);
  return frame;
}

function control(type: number, length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(CONTROL_BIT | VERSION, 0);
  header.writeUInt16BE(type, 2);
  header.writeUIntBE(length, 5, 3);
  return header;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
