/** A type as a value: what `type(x)` gives and the names `int`, `string`, … stand for. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
