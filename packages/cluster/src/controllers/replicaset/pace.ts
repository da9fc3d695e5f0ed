/**
 * How often a large ReplicaSet is looked at. Every look goes through all its Pods, and every Pod that becomes ready asks for one: with ten
 * thousand of them that would be a hundred million. So the larger it is, the more changes are taken together.
 */
export class Pace {
  readonly #looks = new Map<string, { readonly at: number; readonly pods: number }>();

  /** Milliseconds until it may be looked at again. */
  wait(key: string, now: number): number {
    const last = this.#looks.get(key);
    if (last === undefined || last.pods < SMALL) return 0;
    // A clock that was set back must not keep anyone waiting.
    return Math.max(0, Math.min(interval(last.pods), last.at + interval(last.pods) - now));
  }

  looked(key: string, pods: number, now: number): void {
    if (pods < SMALL) this.#looks.delete(key);
    else this.#looks.set(key, { at: now, pods });
  }

  forget(key: string): void {
    this.#looks.delete(key);
  }
}

const SMALL = 500;
/** A second is what people take for at once. */
const interval = (pods: number): number => Math.min(1000, pods / 5);
