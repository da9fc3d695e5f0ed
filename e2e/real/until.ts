import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is neither false nor an exception; says the last of them when time is up. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  { deadline = 60_000, every = 50 } = {},
): Promise<void> {
  const end = performance.now() + deadline;
  let problem: unknown = 'it was not';
  while (performance.now() < end) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      if (error instanceof GaveUp) throw error;
      problem = error;
    }
    await delay(every);
  }
  throw new Error(`waited ${deadline} ms until ${what}: ${String(problem)}`);
}

/** Thrown by a condition that can no longer become true. */
export class GaveUp extends Error {}
