/**
 * An error of evaluation: a missing key, a division by zero. It is a value, not an exception: `false && error` is
 * `false`, and `all` over ten thousand failing elements must not unwind ten thousand stacks.
 */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new Failure('no such overload');
export const INTEGER_OVERFLOW = new Failure('integer overflow');

export const noSuchKey = (key: string): Failure => new Failure(`no such key: ${key}`);
