import { TransportError } from '../errors.ts';
import { deepFreeze } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';
import type { WatchEvent, WatchStream } from '../transport.ts';
import type { Transform } from './options.ts';
import { finished } from './response.ts';

/**
 * A watch, to be read with `for await`. It is opened by the first read, read once, and closed by leaving the loop, by
 * `close()` or by the signal. Reading ends when the server ends the stream in good order: go on with a new watch from the
 * version of the last event. A refused or broken watch throws.
 */
export interface Watch<T extends KubeObject = KubeObject> extends AsyncIterable<WatchEvent<T>> {
  /** Resolves when the server has accepted the watch, and rejects with an `ApiError` if it does not. */
  open(): Promise<void>;
  /** When the last byte came in, on the clock's monotonic scale; the moment of opening before that. */
  lastActivity(): number;
  close(): void;
}

type OpenStream = Extract<WatchStream, { refused?: undefined }>;

export interface WatchParts<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly transform: Transform<T> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly monotonic: () => number;
  readonly connect: (signal: AbortSignal) => Promise<OpenStream>;
}

export function createWatch<T extends KubeObject>(parts: WatchParts<T>): Watch<T> {
  const closing = new AbortController();
  const signal = parts.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, parts.signal]);
  let opening: Promise<OpenStream> | undefined;
  let stream: OpenStream | undefined;
  let openedAt = parts.monotonic();
  let taken = false;

  const connect = (): Promise<OpenStream> => {
    opening ??= parts.connect(signal).then(opened => {
      openedAt = parts.monotonic();
      stream = opened;
      return opened;
    });
    return opening;
  };

  async function* read(): AsyncGenerator<WatchEvent<T>> {
    if (taken) throw new TypeError('a watch can be read once: open a new one');
    taken = true;
    try {
      for await (const event of (await connect()).events) yield prepared(event, parts);
    } catch (error) {
      // Whoever closes a watch has read enough; whoever aborts it with their own signal wants to hear the reason.
      if (!closing.signal.aborted) throw error;
    } finally {
      closing.abort();
    }
  }

  return {
    open: async () => void (await connect()),
    lastActivity: () => Math.max(stream?.lastActivity() ?? openedAt, openedAt),
    close: () => closing.abort(),
    [Symbol.asyncIterator]: read,
  };
}

function prepared<T extends KubeObject>(event: WatchEvent, { resource, transform }: WatchParts<T>): WatchEvent<T> {
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: finished(event.object as T, resource, transform) };
    // Bookmarks carry a version and nothing to transform.
    case 'BOOKMARK':
      return { type: 'BOOKMARK', object: finished(event.object as T, resource) };
    case 'ERROR':
      return { type: 'ERROR', object: deepFreeze(event.object) };
    default: {
      const unknown: never = event;
      const type = JSON.stringify((unknown as { type?: unknown }).type);
      throw new TransportError('EBADSTREAM', `the watch sent an event of the unknown type ${type}`);
    }
  }
}
