/** The first signal stops in good order; a second one does not wait for it. */
import { type Clock, systemClock } from '@capstan/kube';

/** What `stopOnSignal` needs of the process; another one in tests. */
export interface Stoppable {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  exit(code: number): void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * One Ctrl-C comes twice to what npm started: from the terminal, which sends it to everyone in the foreground, and from npm, which
 * passes it on. Whoever wants to end at once presses again after that.
 */
const NPM_PASSES_ON_WITHIN = 500;

export function stopOnSignal(
  stop: () => Promise<void>,
  program: Stoppable = process,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): void {
  const echo = program.env['npm_lifecycle_event'] === undefined ? 0 : NPM_PASSES_ON_WITHIN;
  let stoppingSince: number | undefined;
  const onSignal = (): void => {
    if (stoppingSince !== undefined) {
      if (clock.monotonic() - stoppingSince >= echo) program.exit(130);
      return;
    }
    stoppingSince = clock.monotonic();
    console.log('capstan: stopping');
    stop().then(
      () => program.exit(0),
      error => {
        console.error(
          `capstan: could not stop in good order: ${error instanceof Error ? error.message : String(error)}`,
        );
        program.exit(1);
      },
    );
  };
  program.on('SIGINT', onSignal);
  program.on('SIGTERM', onSignal);
  // The terminal was closed: nobody can read what is said from now on, and that must not end the stop half-way.
  program.on('SIGHUP', () => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    onSignal();
  });
}
