import { Opaque } from './opaque.ts';

/** A format a string can be checked against. */
export class NamedFormat extends Opaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly #patternLength: number;
  readonly #problems: (text: string) => readonly string[];

  constructor(name: string, patternLength: number, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.#patternLength = patternLength;
    this.#problems = problems;
  }

  /** The length of its pattern, which is what a check is charged by. */
  override get size(): number {
    return this.#patternLength;
  }

  override equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }

  /** What is wrong with the text; nothing for one that has the format. */
  problemsOf(text: string): readonly string[] {
    return this.#problems(text);
  }
}
