import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

/** So much is put together before it is written. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends text as it comes, no faster than the client takes it. What comes within a turn of the event loop leaves in one piece: a log
 * has many short lines, and each piece is encrypted for itself.
 */
export async function sendStream(
  outgoing: ServerResponse,
  { type, chunks }: Extract<Answer, { kind: 'stream' }>,
): Promise<void> {
  outgoing.writeHead(200, { 'content-type': type, 'transfer-encoding': 'chunked' });
  outgoing.flushHeaders();
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    if (size === 0 || outgoing.destroyed) return;
    const piece = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
    outgoing.write(piece);
  };
  try {
    for await (const chunk of chunks) {
      if (outgoing.destroyed) return;
      if (size === 0) setImmediate(flush);
      waiting.push(chunk);
      size += chunk.length;
      if (size >= PIECE_BYTES) flush();
      if (outgoing.writableNeedDrain) await drained(outgoing);
    }
    flush();
    outgoing.end();
  } catch {
    // The client has half a text and must not take it for a whole one.
    outgoing.destroy();
  }
}

async function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]);
  settled.abort();
}
