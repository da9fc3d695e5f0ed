/** Resident memory after everything that can be given back was: needs `--expose-gc`. */
export async function settledMemory(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    gc?.();
    await new Promise(resolve => setTimeout(resolve, 200));
    lowest = Math.min(lowest, process.memoryUsage.rss());
  }
  return lowest;
}
