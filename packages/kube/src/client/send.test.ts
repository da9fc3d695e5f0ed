import { describe, expect, it } from 'vitest';
import { nodes } from '../kinds/core.ts';
import { createClient } from './client.ts';
import { failure, ok, scriptedTransport } from './scripted-transport.fixture.ts';
import { requestChannel } from './send.ts';

describe('spans', () => {
  it('tell of every attempt and how it ended', async () => {
    const spans: string[] = [];
    const of = (message: unknown) =>
      message as { request: { method: string; path: string }; attempt: number; error?: Error; result?: unknown };
    const subscribers = {
      start: (message: unknown) => spans.push(`start ${of(message).request.method} ${of(message).request.path}`),
      end: () => {},
      asyncStart: () => {},
      asyncEnd: (message: unknown) => {
        spans.push(`end ${of(message).attempt}: ${of(message).error?.message ?? 'ok'}`);
      },
      error: () => {},
    };
    requestChannel.subscribe(subscribers);
    const transport = scriptedTransport([failure(500, 'InternalError'), ok({ kind: 'Node', metadata: { name: 'n' } })]);
    await createClient({ transport, retry: { baseDelay: 1 } }).get(nodes, { name: 'n' });
    requestChannel.unsubscribe(subscribers);
    expect(spans).toEqual([
      'start GET /api/v1/nodes/n',
      'end 1: no: InternalError',
      'start GET /api/v1/nodes/n',
      'end 2: ok',
    ]);
  });
});
