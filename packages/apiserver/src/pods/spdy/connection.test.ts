import { type Duplex, duplexPair } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { drained } from '@capstan/lab';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.fixture.ts';
import { headerBlock, SpdyClient, synStream } from './client.fixture.ts';
import { SpdyConnection } from './connection.ts';
import { DICTIONARY } from './dictionary.ts';
import { HeaderReader } from './header-blocks.ts';
import type { SpdyStream } from './stream.ts';

let client: SpdyClient;
let streams: SpdyStream[];
let over: Promise<void>;
let refuse: boolean;
let far: Duplex;

beforeEach(() => {
  const [near, other] = duplexPair();
  far = other;
  client = new SpdyClient(far);
  streams = [];
  refuse = false;
  const connection = new SpdyConnection(near, stream => {
    if (!refuse) streams.push(stream);
    return !refuse;
  });
  over = connection.run();
});

const kinds = (): string[] => client.frames.map(({ type }) => type);

async function opened(headers: Record<string, string> = { port: '80' }): Promise<SpdyStream> {
  const before = streams.length;
  await client.open(headers);
  await eventually(() => expect(streams).toHaveLength(before + 1));
  return streams[before]!;
}

describe('a stream', () => {
  it('has the headers of its client, the second as well as the first', async () => {
    const first = await opened({ streamtype: 'error', port: '80', requestid: '0' });
    const second = await opened({ streamtype: 'data', port: '80', requestid: '0' });
    expect([...first.headers]).toEqual([
      ['streamtype', 'error'],
      ['port', '80'],
      ['requestid', '0'],
    ]);
    expect(second.headers.get('streamtype')).toBe('data');
    await eventually(() => expect(kinds()).toEqual(['headers', 'headers']));
  });

  it('is answered with headers that a decompressor reads, each time', async () => {
    await opened();
    await opened();
    const reader = new HeaderReader();
    await eventually(() => expect(client.frames).toHaveLength(2));
    for (const frame of client.frames) {
      expect(frame.type).toBe('headers');
      if (frame.type === 'headers') expect((await reader.read(frame.block)).size).toBe(0);
    }
  });

  it('carries data both ways, and each way ends for itself', async () => {
    const stream = await opened();
    stream.pipe(stream);
    client.send(1, Buffer.from('hello '));
    client.send(1, Buffer.from('there'), true);
    await eventually(() => expect(client.ended).toContain(1));
    expect(client.text(1)).toBe('hello there');
    expect(kinds()).not.toContain('reset');
  });

  it('that is destroyed half-way is reset', async () => {
    (await opened()).destroy();
    await eventually(() => expect(client.frames).toContainEqual({ type: 'reset', id: 1 }));
  });

  it('that the client resets is closed, and not reset again', async () => {
    const stream = await opened();
    client.reset(1);
    await eventually(() => expect(stream.destroyed).toBe(true));
    client.ping(5);
    await eventually(() => expect(kinds()).toEqual(['headers', 'ping']));
  });

  it('may be refused', async () => {
    refuse = true;
    await client.open({ port: '80' });
    await eventually(() => expect(client.frames).toEqual([{ type: 'reset', id: 1 }]));
  });

  it('has a number that goes up', async () => {
    await opened();
    client.raw(synStream(1, await client.compress(headerBlock({})), false));
    await eventually(() => expect(client.frames).toContainEqual({ type: 'reset', id: 1 }));
    expect(streams).toHaveLength(1);
  });

  it('too many is refused, and one that ends makes room', async () => {
    for (let count = 0; count < 513; count++) await client.open({});
    await eventually(() => expect(client.frames).toContainEqual({ type: 'reset', id: 1025 }));
    client.reset(1);
    await client.open({});
    await eventually(() => expect(streams).toHaveLength(513));
  });

  it('that nobody reads stops the client, and does not fill the memory', async () => {
    const stream = await opened();
    const piece = Buffer.alloc(64 * 1024);
    for (let count = 0; count < 100; count++) client.send(1, piece);
    await eventually(() => expect(stream.readableLength).toBeGreaterThanOrEqual(256 * 1024));
    client.ping(1);
    await drained();
    expect(stream.readableLength).toBeLessThan(512 * 1024);
    expect(far.writableLength).toBeGreaterThan(90 * piece.length);
    expect(kinds()).not.toContain('ping');
    stream.resume();
    await eventually(() => expect(kinds()).toContain('ping'));
    await eventually(() => expect(far.writableLength).toBe(0));
  });
});

describe('a connection', () => {
  it('answers pings of the client, and not the answers to its own', async () => {
    client.ping(1);
    client.ping(2);
    client.ping(3);
    await eventually(() =>
      expect(client.frames).toEqual([
        { type: 'ping', id: 1 },
        { type: 'ping', id: 3 },
      ]),
    );
  });

  it('that breaks off closes its streams', async () => {
    const stream = await opened();
    client.close();
    await over;
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    ['garbage', Buffer.from([0x80, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
    ['headers that are not compressed', synStream(1, Buffer.from('plain'), false)],
    [
      'headers with another dictionary',
      synStream(1, deflateSync(headerBlock({}), { dictionary: Buffer.from('other') }), false),
    ],
    [
      'headers that claim more than they have',
      synStream(1, deflateSync(Buffer.from([0, 0, 0, 9, 0, 0, 0, 1]), { dictionary: DICTIONARY }), false),
    ],
    [
      'headers that unpack to 50 MB',
      synStream(1, deflateSync(Buffer.alloc(50_000_000), { dictionary: DICTIONARY }), false),
    ],
  ])('ends with %s', async (_, bytes) => {
    client.raw(bytes);
    await over;
    await eventually(() => expect(client.closed).toBe(true));
    expect(streams).toEqual([]);
  });

  it('survives any bytes, or ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 10 }), async chunks => {
        const [near, other] = duplexPair();
        const run = new SpdyConnection(near, () => true).run();
        other.on('error', () => {}).resume();
        for (const chunk of chunks) other.write(chunk);
        other.end();
        await run;
        expect(near.destroyed).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
