import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogEntry } from '@capstan/apiserver';
import { SteppedClock } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerLog } from './container-log.ts';
import { LONGEST_PIECE } from './log-line.ts';
import { PodLogs } from './pod-logs.ts';
import { readLog } from './read-log.ts';

let folder: string;
let file: string;
const clock = new SteppedClock();
const signal = new AbortController().signal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-logs-'));
  file = join(folder, 'c', '0.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = ({ content }: LogEntry): string => Buffer.from(content).toString();
async function all(options: Partial<Parameters<typeof readLog>[0]> = {}): Promise<string[]> {
  return (await Array.fromAsync(readLog({ file, signal, ...options }))).map(text);
}

describe('a log', () => {
  it('is stored as container runtimes store it', () => {
    const log = new ContainerLog(file, { clock });
    log.write('stdout', Buffer.from('one\ntwo\nthr'));
    log.write('stderr', Buffer.from('oops\n'));
    log.end();
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([
      '2026-01-01T00:00:00.000000000Z stdout F one',
      '2026-01-01T00:00:00.000000000Z stdout F two',
      '2026-01-01T00:00:00.000000000Z stderr F oops',
      '2026-01-01T00:00:00.000000000Z stdout P thr',
      '',
    ]);
  });

  it('is read as it was written, with times and streams', async () => {
    const log = new ContainerLog(file, { clock });
    log.write('stdout', Buffer.from('one\n\nü\n'));
    log.write('stderr', Buffer.from('end'));
    log.end();
    const entries = await Array.fromAsync(readLog({ file, signal }));
    expect(entries.map(text)).toEqual(['one\n', '\n', 'ü\n', 'end']);
    expect(entries.at(-1)).toMatchObject({ stream: 'stderr', time: clock.now() });
  });

  it('cuts very long lines into pieces, which are one line again when read', async () => {
    const log = new ContainerLog(file, { clock });
    const long = 'x'.repeat(LONGEST_PIECE + 10);
    log.write('stdout', Buffer.from(`${long}\n`));
    log.end();
    const pieces = await all();
    expect(pieces).toHaveLength(2);
    expect(pieces.join('')).toBe(`${long}\n`);
  });

  it.each([
    [0, []],
    [2, ['3\n', '4\n']],
    [9, ['0\n', '1\n', '2\n', '3\n', '4\n']],
  ])('gives its last %i lines', async (tailLines, expected) => {
    const log = new ContainerLog(file, { clock });
    for (let n = 0; n < 5; n++) log.write('stdout', Buffer.from(`${n}\n`));
    expect(await all({ tailLines })).toEqual(expected);
    log.end();
  });

  it('never grows beyond twice its limit, and keeps the newest', async () => {
    const log = new ContainerLog(file, { clock, largest: 1000 });
    for (let n = 0; n < 100; n++) log.write('stdout', Buffer.from(`line ${n}\n`));
    log.end();
    const lines = await all();
    expect(lines.at(-1)).toBe('line 99\n');
    expect(lines.length).toBeGreaterThan(15);
    expect(readFileSync(file).length + readFileSync(`${file}.1`).length).toBeLessThanOrEqual(2000);
  });
});

describe('following', () => {
  it('tells everything that is written, across rotations, and ends with the container', async () => {
    const log = new ContainerLog(file, { clock, largest: 500 });
    log.write('stdout', Buffer.from('before\n'));
    const got: string[] = [];
    const reading = (async () => {
      for await (const entry of readLog({ file, follow: log, signal })) {
        got.push(text(entry).trim());
        // Written while it is read: the next comes only when this one was seen.
        if (got.length <= 60) log.write('stdout', Buffer.from(`line ${got.length}\n`));
        else log.end();
      }
    })();
    await reading;
    expect(got).toEqual(['before', ...Array.from({ length: 60 }, (_, n) => `line ${n + 1}`)]);
    expect(log.rotations).toBeGreaterThan(2);
  });

  it('ends when nobody is interested any more', async () => {
    const log = new ContainerLog(file, { clock });
    const interest = new AbortController();
    log.write('stdout', Buffer.from('a\n'));
    const got: string[] = [];
    for await (const entry of readLog({ file, follow: log, signal: interest.signal })) {
      got.push(text(entry));
      interest.abort();
    }
    expect(got).toEqual(['a\n']);
    log.end();
  });
});

it('of a container the log of this instance and the one before are kept', async () => {
  const logs = new PodLogs(folder, clock);
  for (const restarts of [0, 1, 2]) {
    const log = logs.begin('c', restarts);
    log.write('stdout', Buffer.from(`instance ${restarts}\n`));
    log.end();
  }
  expect(await all({ file: logs.fileOf('c', 2) })).toEqual(['instance 2\n']);
  expect(await all({ file: logs.fileOf('c', 1) })).toEqual(['instance 1\n']);
  expect(await all({ file: logs.fileOf('c', 0) })).toEqual([]);
  expect(logs.lastWords('c', 2)).toBe('instance 2\n');
});
