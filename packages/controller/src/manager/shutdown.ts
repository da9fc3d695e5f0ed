/** Aborted by the first SIGINT or SIGTERM. A second one ends the process at once, as if nobody listened. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(new Error(name)));
  return controller.signal;
}
