/** The first signal stops in good order; a second one does not wait for it. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    console.log('capstan: stopping');
    stop().then(
      () => process.exit(0),
      error => {
        console.error(
          `capstan: could not stop in good order: ${error instanceof Error ? error.message : String(error)}`,
        );
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
