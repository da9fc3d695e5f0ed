import type { Progress } from '@capstan/helm';
import { describe, expect, it } from 'vitest';
import { ansiTime, goTime, tableText } from './output.ts';
import { terminalProgress } from './terminal-progress.ts';

describe('what Helm prints', () => {
  it.each([
    ['2026-01-02T03:04:05.678Z', '2026-01-02 03:04:05.678 +0000 UTC', 'Fri Jan  2 03:04:05 2026'],
    ['2026-11-16T03:04:05Z', '2026-11-16 03:04:05 +0000 UTC', 'Mon Nov 16 03:04:05 2026'],
    ['2026-01-02T03:04:05.100+02:00', '2026-01-02 03:04:05.1 +0200 +0200', 'Fri Jan  2 03:04:05 2026'],
    ['never', 'never', 'never'],
  ])('times: %s', (text, long, short) => {
    expect([goTime(text), ansiTime(text)]).toEqual([long, short]);
  });

  it('tables: padded cells between tabs', () => {
    expect(
      tableText([
        ['NAME', 'STATUS'],
        ['a-long-one', 'x'],
      ]),
    ).toBe('NAME      \tSTATUS\na-long-one\tx     \n');
  });
});

describe('progress', () => {
  const screenOf = (isTTY: boolean) => {
    const written: string[] = [];
    return { written, isTTY, columns: 40, write: (text: string) => written.push(text) };
  };
  const waiting = (...messages: string[]): Progress => ({
    kind: 'waiting',
    for: messages.map(message => ({ object: 'Pod a', status: 'InProgress', message })),
  });

  it('on a terminal is a block that is drawn anew, cut to the width', () => {
    const screen = screenOf(true);
    const tell = terminalProgress(screen);
    tell(waiting('is pending'));
    tell(waiting('is pending, and that for a very long time now'));
    tell(waiting());
    expect(screen.written).toEqual([
      'waiting for\n  Pod a: is pending\n',
      '\u001b[2A\u001b[J',
      'waiting for\n  Pod a: is pending, and that for a ver\n',
      '\u001b[2A\u001b[J',
    ]);
  });

  it('in a log is only what one should know', () => {
    const screen = screenOf(false);
    const tell = terminalProgress(screen);
    tell(waiting('is pending'));
    tell({ kind: 'taken-over', outcome: 'resumed', revision: 3 });
    expect(screen.written).toEqual(['a former run was cut off: going on with revision 3\n']);
  });
});
