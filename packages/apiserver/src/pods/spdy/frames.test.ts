import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { synStream, word } from './client.fixture.ts';
import { dataFrame, type Frame, FrameReader, goAwayFrame, ProtocolError, pingFrame, resetFrame } from './frames.ts';

function read(...chunks: readonly Uint8Array[]): Frame[] {
  const reader = new FrameReader();
  return chunks.flatMap(chunk => [...reader.read(Buffer.from(chunk))]);
}

/** Pieces of data that belong together, put together; `ends` may come with an empty last piece. */
function joinData(frames: readonly Frame[]): unknown[] {
  const all: { type: string; id?: number; data?: Buffer; ends?: boolean }[] = [];
  for (const frame of frames) {
    const last = all.at(-1);
    if (frame.type === 'data' && last?.type === 'data' && last.id === frame.id && !last.ends) {
      last.data = Buffer.concat([last.data!, frame.data]);
      last.ends = frame.ends;
    } else all.push({ ...frame });
  }
  return all;
}

const ALL = [
  synStream(1, Buffer.from('compressed'), true),
  dataFrame(1, Buffer.from('hello'), false),
  pingFrame(7),
  dataFrame(1, Buffer.alloc(0), true),
  resetFrame(3, 'cancelled'),
  goAwayFrame(1),
];

describe('frames', () => {
  it('are read as they were written', () => {
    expect(read(...ALL)).toEqual([
      { type: 'syn-stream', id: 1, ends: true, block: Buffer.from('compressed') },
      { type: 'data', id: 1, ends: false, data: Buffer.from('hello') },
      { type: 'ping', id: 7 },
      { type: 'data', id: 1, ends: true, data: Buffer.alloc(0) },
      { type: 'reset', id: 3 },
      { type: 'go-away' },
    ]);
  });

  it('are the same wherever the bytes are cut', () => {
    const bytes = Buffer.concat(ALL);
    const whole = joinData(read(bytes));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), cuts => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(joinData(read(...chunks))).toEqual(whole);
      }),
    );
  });

  it.each([
    ['stream 0', dataFrame(0, Buffer.from('x'), false)],
    ['another version', Buffer.concat([Buffer.from([0x80, 2, 0, 6]), word(4), word(1)])],
    ['an unknown type', Buffer.concat([Buffer.from([0x80, 3, 0, 99]), word(0)])],
    ['a control frame of 16 MB', Buffer.concat([Buffer.from([0x80, 3, 0, 1]), word(0xff_ffff)])],
    ['a ping without a number', Buffer.concat([Buffer.from([0x80, 3, 0, 6]), word(0)])],
    ['a stream without a number', Buffer.concat([Buffer.from([0x80, 3, 0, 1]), word(4), word(1)])],
  ])('of %s are refused', (_, bytes) => {
    expect(() => read(bytes)).toThrow(ProtocolError);
  });

  it('that are garbage are frames or a ProtocolError, nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }), chunks => {
        try {
          read(...chunks);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
