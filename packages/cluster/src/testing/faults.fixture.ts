import { createManager, silentLog } from '@capstan/controller';
import type { Fault, Scenario, World } from '@capstan/lab';
import type { BuiltinController } from '../controllers/builtin-controller.ts';

/** Starts controllers as a program that can be killed. */
export function program(...controllers: readonly BuiltinController[]): Scenario['start'] {
  return ({ transport, clock, random }: World) => {
    const manager = createManager({ transport, clock, random, log: silentLog });
    for (const controller of controllers) controller.setup(manager);
    return manager.start();
  };
}

/** What else can go wrong, one thing at each of so many writes: every kind of it in turn. */
export function otherFaults(writes: number, table: string): (readonly Fault[])[] {
  const kinds: readonly ((write: number) => Fault)[] = [
    write => ({ kind: 'lost-answer', write }),
    write => ({ kind: 'refused', write, code: 500 }),
    write => ({ kind: 'watches-expired', write }),
    write => ({ kind: 'stale', write, table, milliseconds: 5_000 }),
    write => ({ kind: 'refused', write, code: 409 }),
    write => ({ kind: 'clock-jump', write, milliseconds: 3_600_000 }),
    write => ({ kind: 'refused', write, code: 429 }),
    write => ({ kind: 'watches-dropped', write }),
    write => ({ kind: 'clock-jump', write, milliseconds: -3_600_000 }),
  ];
  return Array.from({ length: writes }, (_, index) => [kinds[index % kinds.length]!(index + 1)]);
}
