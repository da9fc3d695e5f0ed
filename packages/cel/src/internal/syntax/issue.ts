/** Something wrong with an expression, found before it is ever evaluated. */
export interface Issue {
  readonly offset: number;
  readonly message: string;
}

/** Thrown inside the parser only, where one mistake makes the rest of the text meaningless. */
export class SyntaxIssue extends Error implements Issue {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}
