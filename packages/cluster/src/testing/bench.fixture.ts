import { type ApiServer, createApiServer } from '@capstan/apiserver';
import { createManager, type Manager, silentLog } from '@capstan/controller';
import { type Client, createClient, type Random, requestChannel } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import type { BuiltinController } from '../controllers/builtin-controller.ts';

/** An API server in this process on a clock that the test moves, with some of the built-in controllers. */
export interface Bench {
  readonly clock: SteppedClock;
  readonly random: Random;
  readonly server: ApiServer;
  /** Someone who is no controller. */
  readonly client: Client;
  readonly manager: Manager;
  /** Moves time, and lets everything happen that is due. */
  advance(milliseconds?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startBench(controllers: readonly BuiltinController[]): Promise<Bench> {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  const manager = createManager({ transport: server.transport(), clock, random, log: silentLog });
  for (const controller of controllers) controller.setup(manager);
  await manager.start();
  const client = createClient({ transport: server.transport(), clock, random, userAgent: 'someone' });
  return {
    clock,
    random,
    server,
    client,
    manager,
    advance: (milliseconds = 2_000) => clock.advance(milliseconds),
    async stop() {
      const stopped = manager.stop();
      await clock.advance(60_000);
      await stopped;
      await server.close();
    },
  };
}

/** What goes over the API while `act` runs: `GET /api/v1/pods`, in order. */
export async function requestsDuring(act: () => Promise<void>): Promise<readonly string[]> {
  const seen: string[] = [];
  const note = (message: unknown): void => {
    seen.push((message as { request: string }).request);
  };
  requestChannel.start.subscribe(note);
  try {
    await act();
  } finally {
    requestChannel.start.unsubscribe(note);
  }
  return seen;
}
