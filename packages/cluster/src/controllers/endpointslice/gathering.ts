/**
 * How long changes of a Service with many endpoints are gathered before they are looked at: a look costs as much as there are
 * endpoints, and ten thousand Pods that start would each ask for one.
 */
const FEW = 100;
const LONGEST = 1_000;

export class Gathering {
  readonly #looks = new Map<string, { readonly at: number; readonly size: number }>();

  /** Milliseconds until the Service may be looked at again; 0 for at once. */
  pause(key: string, now: number): number {
    const last = this.#looks.get(key);
    if (last === undefined || last.size <= FEW) return 0;
    // A clock that was set back must not keep anyone waiting.
    const since = Math.max(0, now - last.at);
    return now < last.at ? 0 : Math.max(0, Math.min(last.size / 2, LONGEST) - since);
  }

  looked(key: string, now: number, size: number): void {
    if (size <= FEW) this.#looks.delete(key);
    else this.#looks.set(key, { at: now, size });
  }
}
