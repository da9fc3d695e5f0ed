import type { Value } from './value.ts';

/** A value that may be absent: what `?.`, `[?]` and `optional.of` give. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }

  static readonly none = new Optional(undefined);
}
