import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logText, nanoTimestamp } from './log-text.ts';
import type { LogEntry } from './node-agent.ts';

const entry = (content: string, time = 0): LogEntry => ({ time, stream: 'stdout', content: Buffer.from(content) });

async function* each(entries: readonly LogEntry[]) {
  yield* entries;
}

async function text(entries: readonly LogEntry[], options: Partial<Parameters<typeof logText>[1]> = {}) {
  const all: Uint8Array[] = [];
  const given = { since: undefined, timestamps: false, limitBytes: undefined, ...options };
  for await (const chunk of logText(each(entries), given)) all.push(chunk);
  return Buffer.concat(all).toString();
}

it('stamps a line once, however many pieces it has', async () => {
  const pieces = [entry('a', 1), entry('b', 2), entry('c\n', 3), entry('d\n', 1_500)];
  expect(await text(pieces, { timestamps: true })).toBe(
    '1970-01-01T00:00:00.001000000Z abc\n1970-01-01T00:00:01.500000000Z d\n',
  );
});

it('counts stamps as bytes', async () => {
  expect(await text([entry('abc\n')], { timestamps: true, limitBytes: 33 })).toBe('1970-01-01T00:00:00.000000000Z ab');
});

it('never gives more than the limit, and always the beginning of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 50 }), async (lines, limitBytes) => {
      const entries = lines.map(line => entry(`${line}\n`));
      const [all, some] = [Buffer.from(await text(entries)), Buffer.from(await text(entries, { limitBytes }))];
      expect(some.length).toBeLessThanOrEqual(limitBytes);
      expect(all.toString().startsWith(some.toString().replace(/\ufffd+$/, ''))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it('shows parts of milliseconds', () => {
  expect(nanoTimestamp(1.25)).toBe('1970-01-01T00:00:00.001250000Z');
});
