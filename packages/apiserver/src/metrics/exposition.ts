/** Prometheus' text format, version 0.0.4. */

export type Labels = Readonly<Record<string, string>>;

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Puts families of metrics together, one line a value. */
export class Exposition {
  readonly #lines: string[] = [];

  family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): Family {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    return new Family(name, this.#lines);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

export class Family {
  readonly #name: string;
  readonly #lines: string[];

  constructor(name: string, lines: string[]) {
    this.#name = name;
    this.#lines = lines;
  }

  add(labels: Labels, value: number): void {
    this.#lines.push(`${this.#name}${braces(labelText(labels))} ${numberText(value)}`);
  }

  addHistogram(labels: Labels, { bounds, counts, sum, count }: HistogramState): void {
    const text = labelText(labels);
    const prefix = text === '' ? '' : `${text},`;
    let below = 0;
    for (const [at, bound] of bounds.entries()) {
      below += counts[at]!;
      this.#lines.push(`${this.#name}_bucket{${prefix}le="${bound}"} ${below}`);
    }
    this.#lines.push(`${this.#name}_bucket{${prefix}le="+Inf"} ${count}`);
    this.#lines.push(`${this.#name}_sum${braces(text)} ${numberText(sum)}`);
    this.#lines.push(`${this.#name}_count${braces(text)} ${count}`);
  }
}

export interface HistogramState {
  readonly bounds: readonly number[];
  /** How many fell between a bound and the one before. */
  readonly counts: ArrayLike<number>;
  readonly sum: number;
  readonly count: number;
}

const braces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const numberText = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));
