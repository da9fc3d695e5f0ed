/**
 * How often a Pod that ended on a node is replaced: at once the first time, then after 1 s, doubling to 15 minutes. It is kept in memory
 * only: after a restart the first replacement is immediate again, which hurts nobody.
 */
export class FailedPods {
  readonly #known = new Map<string, { readonly at: number; readonly delay: number }>();

  /** Milliseconds to wait for; zero means now, and counts as done. */
  replace(key: string, now: number): number {
    const known = this.#known.get(key);
    const rested = known !== undefined && now - known.at > 2 * LONGEST;
    if (known === undefined || rested) {
      this.#known.set(key, { at: now, delay: FIRST });
      return 0;
    }
    const wait = known.at + known.delay - now;
    if (wait > 0) return wait;
    this.#known.set(key, { at: now, delay: Math.min(2 * known.delay, LONGEST) });
    return 0;
  }

  forget(prefix: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(prefix)) this.#known.delete(key);
  }
}

const FIRST = 1_000;
const LONGEST = 900_000;
