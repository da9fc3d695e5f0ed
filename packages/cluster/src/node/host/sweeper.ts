/**
 * Looks for processes that left their container's group and still run after it ended. A look at all of /proc answers for every
 * container that asked meanwhile, so that fifty containers which end together cost one or two.
 */
export class Sweeper {
  readonly #end: (ids: ReadonlySet<string>) => Promise<unknown>;
  #waiting: { readonly ids: Set<string>; readonly swept: Promise<void> } | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(end: (ids: ReadonlySet<string>) => Promise<unknown>) {
    this.#end = end;
  }

  /** Resolves when nothing of this container is left. */
  sweep(containerId: string): Promise<void> {
    if (this.#waiting === undefined) {
      const ids = new Set<string>();
      const swept = this.#last.then(async () => {
        this.#waiting = undefined;
        await this.#end(ids);
      });
      this.#waiting = { ids, swept };
      this.#last = swept.catch(() => {});
    }
    this.#waiting.ids.add(containerId);
    return this.#waiting.swept;
  }
}
