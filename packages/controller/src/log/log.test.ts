import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.fixture.ts';
import { createLog } from './log.ts';

function logged(level?: 'debug' | 'info') {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, log: createLog({ clock: new ManualClock(), destination, ...(level && { level }) }) };
}

describe('the log', () => {
  it('writes lines of JSON with the time of the clock, and the fields of its parents', () => {
    const { log, lines } = logged();
    log.child({ controller: 'test/a', reconcile: 'x1' }).info({ n: 1 }, 'hello');
    expect(lines).toEqual([
      {
        level: 'info',
        time: '2026-01-01T00:00:00.000Z',
        controller: 'test/a',
        reconcile: 'x1',
        n: 1,
        message: 'hello',
      },
    ]);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = logged();
    log.debug({}, 'hidden');
    expect(lines).toEqual([]);
  });

  it.each([
    [{ password: 'hunter2' }, { password: '[redacted]' }],
    [
      { nested: { apiKey: 'k', clientKey: 'k', token: 't' } },
      { nested: { apiKey: '[redacted]', clientKey: '[redacted]', token: '[redacted]' } },
    ],
    [
      { object: { kind: 'Secret', metadata: { name: 's' }, data: { a: 'b' } } },
      { object: { kind: 'Secret', metadata: { name: 's' }, data: '[redacted]' } },
    ],
    [{ header: 'Bearer abcdefghijkl' }, { header: 'Bearer [redacted]' }],
    [{ url: 'mqtt://robot:hunter2@broker:1883' }, { url: 'mqtt://robot:[redacted]@broker:1883' }],
    [{ text: 'eyJhbGciOi.eyJzdWIiOi.c2ln' }, { text: '[redacted]' }],
    [
      { secretName: 'keep', tokens: 3 },
      { secretName: 'keep', tokens: 3 },
    ],
  ])('never prints secrets: %j', (fields, expected) => {
    const { log, lines } = logged();
    log.info(fields, 'x');
    expect(lines[0]).toMatchObject(expected);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('prints errors with their codes and causes', () => {
    const { log, lines } = logged();
    const error = Object.assign(new Error('no: Bearer abcdefghijkl', { cause: new Error('deeper') }), {
      code: 'ECODE',
    });
    log.error({ error }, 'failed');
    expect(lines[0]!['error']).toMatchObject({
      type: 'Error',
      message: 'no: Bearer [redacted]',
      code: 'ECODE',
      cause: { message: 'deeper' },
    });
  });
});
