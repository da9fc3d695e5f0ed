import type { Readable } from 'node:stream';
import { TransportError } from '../errors.ts';
import type { WatchEvent } from '../transport.ts';
import { LineSplitter, LineTooLong } from './line-splitter.ts';

export interface StreamSettings {
  readonly longestLine: number;
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
  try {
    for await (const chunk of body) {
      settings.onBytes();
      for (const line of splitter.push(chunk as Buffer)) yield parseEvent(line);
    }
    const rest = splitter.rest();
    if (rest !== '') yield parseEvent(rest);
  } catch (error) {
    if (error instanceof LineTooLong) throw new TransportError('EBADSTREAM', `the watch sent ${error.message}`);
    throw settings.failure(error);
  } finally {
    body.destroy();
  }
}

function parseEvent(line: string): WatchEvent {
  const event = parse(line);
  if (typeof event === 'object' && event !== null && 'type' in event && 'object' in event) return event as WatchEvent;
  throw badLine(line);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw badLine(line);
  }
}

/** The line itself may hold a Secret: only its length and how it begins as an event are shown. */
function badLine(line: string): TransportError {
  return new TransportError('EBADSTREAM', `the watch sent a line of ${line.length} characters that is not an event`);
}
