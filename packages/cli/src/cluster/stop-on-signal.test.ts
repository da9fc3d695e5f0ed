import { EventEmitter } from 'node:events';
import { SteppedClock } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stopOnSignal } from './stop-on-signal.ts';

beforeEach(() => {
  vi.spyOn(console, 'log').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

function program(env: Record<string, string> = {}) {
  const exits: number[] = [];
  const signals = new EventEmitter();
  const clock = new SteppedClock();
  const stopping = Promise.withResolvers<void>();
  let stops = 0;
  stopOnSignal(
    () => {
      stops++;
      return stopping.promise;
    },
    { on: (signal, listener) => signals.on(signal, listener), exit: code => exits.push(code), env },
    clock,
  );
  return { exits, clock, stopping, signal: (name = 'SIGINT') => signals.emit(name), stops: () => stops };
}

describe('Ctrl-C', () => {
  it('once waits for the stop, and ends with 0', async () => {
    const { signal, exits, stopping } = program();
    signal();
    expect(exits).toEqual([]);
    stopping.resolve();
    await stopping.promise;
    expect(exits).toEqual([0]);
  });

  it('twice ends at once, and does not stop twice', () => {
    const { signal, exits, stops } = program();
    signal();
    signal();
    expect([exits, stops()]).toEqual([[130], 1]);
  });

  it('that npm passes on is still the same one; pressed again after that, it ends at once', async () => {
    const { signal, exits, clock } = program({ npm_lifecycle_event: 'start' });
    signal();
    signal();
    expect(exits).toEqual([]);
    await clock.advance(600);
    signal('SIGTERM');
    expect(exits).toEqual([130]);
  });

  it('is not needed where the terminal is closed', async () => {
    const { signal, exits, stopping } = program();
    signal('SIGHUP');
    stopping.resolve();
    await stopping.promise;
    expect(exits).toEqual([0]);
  });

  it('says why it could not stop in good order', async () => {
    const { signal, exits, stopping } = program();
    signal();
    stopping.reject(new Error('the disk is full'));
    await vi.waitFor(() => expect(exits).toEqual([1]));
    expect(console.error).toHaveBeenCalledWith('capstan: could not stop in good order: the disk is full');
  });
});
