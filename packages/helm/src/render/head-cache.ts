/**
 * Remembers what the head of a document said. Most documents of a chart are the same at every rendering (definitions of custom
 * resources above all, which are long), and reading YAML is what rendering spends its time on.
 */
export class HeadCache<T> {
  readonly #known = new Map<string, T>();
  readonly #limit: number;
  #size = 0;

  /** @param limit characters of the documents remembered */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was remembered for a text, or what reading it gives now. What throws is not remembered. */
  get(text: string, read: () => T): T {
    const known = this.#known.get(text);
    if (known !== undefined) {
      // Used last, dropped last.
      this.#known.delete(text);
      this.#known.set(text, known);
      return known;
    }
    const value = read();
    if (text.length > this.#limit / 4) return value;
    this.#known.set(text, value);
    this.#size += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#size <= this.#limit) break;
      this.#known.delete(oldest);
      this.#size -= oldest.length;
    }
    return value;
  }
}
