import type { Clock } from '@capstan/kube';
import pino, { type DestinationStream } from 'pino';
import { redacted } from './redact.ts';

/** Writes lines of JSON. Fields first, then the message, as pino has it. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A log whose every line carries these fields too. */
  child(fields: LogFields): Log;
}

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly clock: Clock;
  readonly level?: LogLevel;
  /** Where lines go; standard output when left out. */
  readonly destination?: DestinationStream;
}

/** A log that never prints what looks like a secret: see `redacted`. */
export function createLog({ clock, level = 'info', destination }: LogOptions): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":${JSON.stringify(new Date(clock.now()).toISOString())}`,
    formatters: {
      level: label => ({ level: label }),
      log: fields => redacted(fields) as Record<string, unknown>,
      bindings: redactedBindings,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function redactedBindings(bindings: Record<string, unknown>): Record<string, unknown> {
  return redacted(bindings) as Record<string, unknown>;
}

/** Says nothing. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
