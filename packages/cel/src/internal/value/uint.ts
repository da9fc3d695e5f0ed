/** An unsigned 64-bit integer. A plain `bigint` is CEL's signed `int`; this wrapper keeps the two apart. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export const MAX_UINT = 2n ** 64n - 1n;
export const MAX_INT = 2n ** 63n - 1n;
export const MIN_INT = -(2n ** 63n);

export const fitsInt = (value: bigint): boolean => value >= MIN_INT && value <= MAX_INT;
export const fitsUint = (value: bigint): boolean => value >= 0n && value <= MAX_UINT;
