import { Duplex } from 'node:stream';
import type { ResetReason } from './frames.ts';
import type { Headers } from './header-blocks.ts';

/** So much is held of what the client sent and nobody has read yet. */
const HELD_BYTES = 256 * 1024;

/** What a stream needs of its connection. */
export interface StreamSink {
  sendData(id: number, data: Uint8Array, ends: boolean, done: (error?: Error | null) => void): void;
  sendReset(id: number, reason: ResetReason): void;
  forget(id: number): void;
}

/** One stream of a connection. Ending it ends our half; destroying it before both halves have ended resets it. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: Headers;
  readonly #sink: StreamSink;
  #receivedAll = false;
  #sentAll = false;
  #wasReset = false;
  #room: () => void = () => {};

  constructor(id: number, headers: Headers, sink: StreamSink) {
    super({ readableHighWaterMark: HELD_BYTES });
    this.id = id;
    this.headers = headers;
    this.#sink = sink;
    this.on('error', () => {}); // whoever uses it listens for itself
  }

  /** What the client sent. Waits while too much is unread, and with it everything else on the connection: SPDY as Kubernetes uses it has no windows. */
  receive(data: Buffer): Promise<void> | undefined {
    if (this.#receivedAll || this.destroyed || data.length === 0 || this.push(data)) return undefined;
    return new Promise(resolve => {
      this.#room = resolve;
    });
  }

  receiveEnd(): void {
    if (this.#receivedAll || this.destroyed) return;
    this.#receivedAll = true;
    this.push(null);
  }

  receiveReset(): void {
    this.#wasReset = true;
    this.destroy();
  }

  override _read(): void {
    this.#room();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#sink.sendData(this.id, chunk, false, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sentAll = true;
    this.#sink.sendData(this.id, new Uint8Array(), true, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#room();
    this.#sink.forget(this.id);
    if (!this.#wasReset && !(this.#receivedAll && this.#sentAll)) this.#sink.sendReset(this.id, 'cancelled');
    done(error);
  }
}
