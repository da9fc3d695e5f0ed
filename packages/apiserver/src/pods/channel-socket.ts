/**
 * Several streams in one WebSocket: the first byte of each message is the number of its channel. This is the protocol family
 * `channel.k8s.io`: base64 variants write the number as a digit and the rest in base64, and from version 5 on a message `255, n` ends
 * channel n.
 */
import { Readable, Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

const CLOSE_SIGNAL = 255;
const NORMAL_CLOSURE = 1000;
const PROTOCOL_ERROR = 1002;
const DIGIT_ZERO = 0x30;

export interface ChannelProtocol {
  readonly base64: boolean;
  /** The client can end a channel. */
  readonly ends: boolean;
}

export class ChannelSocket {
  readonly #socket: WebSocket;
  readonly #protocol: ChannelProtocol;
  readonly #inputs = new Map<number, Readable>();
  readonly #gone = new AbortController();

  constructor(socket: WebSocket, protocol: ChannelProtocol) {
    this.#socket = socket;
    this.#protocol = protocol;
    socket.on('message', data => this.#receive(bytesOf(data)));
    socket.on('error', () => {}); // followed by 'close'
    socket.once('close', () => {
      this.#gone.abort(new Error('the client closed the connection'));
      for (const input of this.#inputs.values()) input.destroy();
    });
  }

  /** Aborted when the client is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** What the client sends on a channel. While nobody reads it, nothing at all is read from the client. */
  input(channel: number): Readable {
    const input = new Readable({ read: () => this.#socket.resume() });
    // Whoever stopped reading one channel must not keep the others waiting.
    input.once('close', () => this.#socket.resume());
    this.#inputs.set(channel, input);
    return input;
  }

  /** Written as fast as the client takes it. */
  output(channel: number): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => this.send(channel, chunk, done),
    });
  }

  send(channel: number, data: Uint8Array, done: (error?: Error | null) => void = () => {}): void {
    if (this.#protocol.base64) {
      this.#socket.send(`${channel}${Buffer.from(data).toString('base64')}`, done);
      return;
    }
    const message = Buffer.allocUnsafe(data.length + 1);
    message[0] = channel;
    message.set(data, 1);
    this.#socket.send(message, { binary: true }, done);
  }

  /** After everything that was sent. */
  close(): void {
    // An answer is waited for, and that could be stuck behind input that nobody reads any more.
    for (const input of this.#inputs.values()) input.destroy();
    this.#socket.close(NORMAL_CLOSURE);
  }

  #receive(message: Buffer): void {
    if (message.length === 0) return;
    const first = message[0]!;
    if (this.#protocol.ends && first === CLOSE_SIGNAL) {
      if (message.length !== 2) this.#socket.close(PROTOCOL_ERROR);
      else end(this.#inputs.get(message[1]!));
      return;
    }
    const input = this.#inputs.get(this.#protocol.base64 ? first - DIGIT_ZERO : first);
    if (!input || !isOpen(input)) return;
    const data = message.subarray(1);
    if (data.length === 0) return;
    if (!input.push(this.#protocol.base64 ? Buffer.from(data.toString('latin1'), 'base64') : data))
      this.#socket.pause();
  }
}

const ended = new WeakSet<Readable>();

const isOpen = (input: Readable): boolean => !input.destroyed && !ended.has(input);

function end(input: Readable | undefined): void {
  if (!input || !isOpen(input)) return;
  ended.add(input);
  input.push(null);
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
