/** The server's side of a SPDY/3.1 connection, over any stream of bytes: a socket, or a WebSocket that serves as a tunnel. */
import type { Duplex } from 'node:stream';
import {
  DATA_LIMIT,
  dataFrame,
  type Frame,
  FrameReader,
  goAwayFrame,
  ProtocolError,
  pingFrame,
  type ResetReason,
  resetFrame,
  synReplyFrame,
} from './frames.ts';
import { EmptyHeaderWriter, HeaderReader } from './header-blocks.ts';
import { SpdyStream, type StreamSink } from './stream.ts';

/** Each holds some memory, and nobody forwards so many connections at once. */
const STREAM_LIMIT = 512;

export class SpdyConnection implements StreamSink {
  readonly #transport: Duplex;
  readonly #accept: (stream: SpdyStream) => boolean;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #headers = new HeaderReader();
  readonly #replies = new EmptyHeaderWriter();
  #lastId = 0;
  #pings = 0;

  /** `accept` is told of each stream that the client opens; where it says false, the stream is refused. */
  constructor(transport: Duplex, accept: (stream: SpdyStream) => boolean) {
    this.#transport = transport;
    this.#accept = accept;
  }

  /** Serves the connection until it ends, one way or the other. Never rejects. */
  async run(): Promise<void> {
    const reader = new FrameReader();
    this.#transport.on('error', () => {});
    try {
      for await (const chunk of this.#transport) {
        for (const frame of reader.read(chunk as Buffer)) {
          if (frame.type === 'go-away') return;
          await this.#handle(frame);
        }
      }
    } catch (error) {
      if (error instanceof ProtocolError) this.#send(goAwayFrame(this.#lastId));
    } finally {
      this.#headers.close();
      for (const stream of this.#streams.values()) stream.receiveReset();
      this.#transport.destroy();
    }
  }

  /** Lets what was sent go out first. */
  close(): void {
    this.#send(goAwayFrame(this.#lastId));
    this.#transport.end();
  }

  /** A client that is gone shows when it is written to. */
  ping(): void {
    this.#pings += 2;
    this.#send(pingFrame(this.#pings));
  }

  sendData(id: number, data: Uint8Array, ends: boolean, done: (error?: Error | null) => void): void {
    if (data.length <= DATA_LIMIT) {
      this.#send(dataFrame(id, data, ends), done);
      return;
    }
    this.#send(dataFrame(id, data.subarray(0, DATA_LIMIT), false));
    this.sendData(id, data.subarray(DATA_LIMIT), ends, done);
  }

  sendReset(id: number, reason: ResetReason): void {
    this.#send(resetFrame(id, reason));
  }

  forget(id: number): void {
    this.#streams.delete(id);
  }

  #send(frame: Buffer, done: (error?: Error | null) => void = () => {}): void {
    if (this.#transport.destroyed || this.#transport.writableEnded) done(new Error('the connection is closed'));
    else this.#transport.write(frame, done);
  }

  async #handle(frame: Exclude<Frame, { type: 'go-away' }>): Promise<void> {
    switch (frame.type) {
      case 'syn-stream':
        await this.#open(frame);
        return;
      case 'headers':
        await this.#headers.read(frame.block);
        return;
      case 'data': {
        const stream = this.#streams.get(frame.id);
        await stream?.receive(frame.data);
        if (frame.ends) stream?.receiveEnd();
        return;
      }
      case 'reset':
        this.#streams.get(frame.id)?.receiveReset();
        return;
      case 'ping':
        // Odd ones are the client's questions, even ones its answers.
        if (frame.id % 2 === 1) this.#send(pingFrame(frame.id));
        return;
      case 'ignored':
        return;
    }
  }

  async #open({ id, ends, block }: Extract<Frame, { type: 'syn-stream' }>): Promise<void> {
    const headers = await this.#headers.read(block);
    if (id % 2 === 0 || id <= this.#lastId) {
      this.sendReset(id, 'protocol error');
      return;
    }
    this.#lastId = id;
    if (this.#streams.size >= STREAM_LIMIT) {
      this.sendReset(id, 'refused');
      return;
    }
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    if (!this.#accept(stream)) {
      stream.receiveReset();
      this.sendReset(id, 'refused');
      return;
    }
    this.#send(synReplyFrame(id, this.#replies.next()));
    if (ends) stream.receiveEnd();
  }
}
