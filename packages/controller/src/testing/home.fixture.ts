import { type ApiServer, createApiServer } from '@capstan/apiserver';
import { type Client, createClient, type Random, type Transport } from '@capstan/kube';
import type { Log, LogFields, LogLevel } from '../log/log.ts';
import { createManager, type Manager, type ManagerOptions } from '../manager/manager.ts';
import { ManualClock, seededRandom } from './manual-clock.fixture.ts';

/** An embedded API server on a clock that the test moves, and someone (`client`) who is no controller. */
export interface Home {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly server: ApiServer;
  readonly client: Client;
  readonly lines: LogLine[];
  manager(options?: Partial<ManagerOptions>): Manager;
  transport(): Transport;
}

export interface LogLine extends LogFields {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
}

export async function createHome(seed = 1): Promise<Home> {
  const clock = new ManualClock();
  const random = seededRandom(seed);
  const server = await createApiServer({ clock, random });
  const lines: LogLine[] = [];
  return {
    clock,
    random,
    server,
    lines,
    client: createClient({ transport: server.transport(), clock, random, userAgent: 'someone' }),
    transport: () => server.transport(),
    manager: options =>
      createManager({ transport: server.transport(), clock, random, log: listLog(lines), ...options }),
  };
}

/** A log that tests can read. */
export function listLog(lines: LogLine[], bound: LogFields = {}): Log {
  const at = (level: LogLine['level']) => (fields: LogFields, message: string) =>
    void lines.push({ ...bound, ...fields, level, message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: fields => listLog(lines, { ...bound, ...fields }),
  };
}
