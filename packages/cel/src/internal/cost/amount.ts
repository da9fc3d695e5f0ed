/** From the least to the most something can be: a size in elements or a cost in units. Saturates at 2⁶⁴−1. */
export interface Amount {
  readonly min: number;
  readonly max: number;
}

export const LIMITLESS = 2 ** 64;

export const exactly = (value: number): Amount => ({ min: value, max: value });
export const NOTHING = exactly(0);
export const UNKNOWN: Amount = { min: 0, max: LIMITLESS };

const capped = (value: number): number => Math.min(value, LIMITLESS);

export const add = (...amounts: readonly Amount[]): Amount => ({
  min: capped(amounts.reduce((sum, { min }) => sum + min, 0)),
  max: capped(amounts.reduce((sum, { max }) => sum + max, 0)),
});

export const multiply = (left: Amount, right: Amount): Amount => ({
  min: capped(left.min * right.min),
  max: capped(left.max * right.max),
});

/** Rounded up: a fraction of a unit is a unit. */
export const scale = (amount: Amount, factor: number): Amount => ({
  min: capped(Math.ceil(amount.min * factor)),
  max: capped(Math.ceil(amount.max * factor)),
});

/** Covers both. */
export const union = (left: Amount, right: Amount): Amount => ({
  min: Math.min(left.min, right.min),
  max: Math.max(left.max, right.max),
});
