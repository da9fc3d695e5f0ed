import type { Readable } from 'node:stream';
import { TransportError } from '../errors.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { ObjectEvent, ObjectIdentity, WatchEvent } from '../transport.ts';
import { LineSplitter, LineTooLong } from './line-splitter.ts';
import { type Peeked, peek } from './peek.ts';

export interface StreamSettings {
  readonly longestLine: number;
  /** Parse objects when they are first read, and drop their `managedFields`. */
  readonly lazy: boolean;
  /** Told whenever bytes were taken from the stream. */
  readonly onBytes: () => void;
  /** Turns what the stream throws into what the reader shall see. */
  readonly failure: (error: unknown) => unknown;
}

/**
 * Reads the events of a watch from its body. The body is read only as fast as events are taken: the sockets and then the
 * server feel it when the reader is slow.
 */
export async function* readWatchEvents(body: Readable, settings: StreamSettings): AsyncGenerator<WatchEvent> {
  const splitter = new LineSplitter(settings.longestLine);
  const eventOf = settings.lazy ? lazyEvent : parsedEvent;
  try {
    for await (const chunk of body) {
      settings.onBytes();
      for (const line of splitter.push(chunk as Buffer)) yield eventOf(line);
    }
    const rest = splitter.rest();
    if (rest.length > 0) yield eventOf(rest);
  } catch (error) {
    if (error instanceof LineTooLong) throw new TransportError('EBADSTREAM', `the watch sent ${error.message}`);
    throw settings.failure(error);
  } finally {
    body.destroy();
  }
}

/** How the lines of Kubernetes begin; of any other form the whole line is parsed at once. */
const BEGINNINGS = (['ADDED', 'MODIFIED', 'DELETED'] as const).map(type => ({
  type,
  bytes: Buffer.from(`{"type":"${type}","object":`),
}));

function lazyEvent(line: Buffer): WatchEvent {
  const beginning = BEGINNINGS.find(
    ({ bytes }) => line.length > bytes.length && bytes.compare(line, 0, bytes.length) === 0,
  );
  const end = line.length - 1;
  const peeked = beginning && line[end] === CLOSE ? peek(line, beginning.bytes.length, end) : undefined;
  return beginning && peeked ? new PeekedEvent(beginning.type, peeked) : parsedEvent(line);
}

/** The object, and its metadata alone, are parsed when somebody wants them, and once. */
class PeekedEvent implements ObjectEvent {
  readonly type: ObjectEvent['type'];
  readonly identity: ObjectIdentity;
  #peeked: Peeked | undefined;
  #metadata: ObjectMeta | undefined;
  #object: KubeObject | undefined;

  constructor(type: ObjectEvent['type'], peeked: Peeked) {
    this.type = type;
    this.identity = peeked.identity;
    this.#peeked = peeked;
  }

  get metadata(): ObjectMeta {
    if (this.#metadata === undefined) {
      const { bytes, metadataStart, metadataEnd } = this.#peeked!;
      this.#metadata = parse(bytes.toString('utf8', metadataStart, metadataEnd)) as ObjectMeta;
    }
    return this.#metadata;
  }

  get object(): KubeObject {
    if (this.#peeked !== undefined) {
      this.#object = parse(this.#peeked.bytes.toString('utf8')) as KubeObject;
      this.#metadata = this.#object.metadata;
      this.#peeked = undefined;
    }
    return this.#object!;
  }
}

const CLOSE = 0x7d;

function parsedEvent(line: Buffer): WatchEvent {
  const event = parse(line.toString('utf8'));
  if (typeof event === 'object' && event !== null && 'type' in event && 'object' in event) return event as WatchEvent;
  throw badLine(line.length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badLine(text.length);
  }
}

/** The line itself may hold a Secret: only its length is shown. */
function badLine(length: number): TransportError {
  return new TransportError('EBADSTREAM', `the watch sent a line of ${length} characters that is not an event`);
}
