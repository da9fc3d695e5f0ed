import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracle } from './oracle.fixture.ts';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityToNumber,
  subtractQuantities,
} from './quantity.ts';

describe('quantities', () => {
  it.each(oracle.quantities)('reads and writes $input as Kubernetes does', ({ input, text, error }) => {
    if (error === undefined) expect(canonicalQuantity(input)).toBe(text);
    else expect(() => parseQuantity(input)).toThrow(new QuantityError(error));
  });

  it.each(oracle.sums)('orders, adds and subtracts $left and $right as Kubernetes does', answer => {
    const { left, right } = answer;
    expect(compareQuantities(left, right)).toBe(answer.order);
    expect(formatQuantity(addQuantities(left, right))).toBe(answer.sum);
    expect(formatQuantity(subtractQuantities(left, right))).toBe(answer.difference);
  });

  it('reads numbers as YAML gives them', () => {
    expect(canonicalQuantity(0.5)).toBe('500m');
    expect(canonicalQuantity(2)).toBe('2');
  });

  it('refuses an exponent that would fill the memory', () => {
    expect(() => parseQuantity('1e999999999')).toThrow(QuantityError);
  });

  it('gives a number to compare with measurements', () => {
    expect(quantityToNumber('250m')).toBe(0.25);
    expect(quantityToNumber('1Gi')).toBe(1024 ** 3);
    expect(quantityToNumber('-1500m')).toBe(-1.5);
  });

  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3');
  const quantityText = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(999), suffix)
    .map(([whole, fraction, unit]) => `${whole}.${fraction}${unit}`);

  it('keeps the value in the canonical form, and the canonical form in itself', () => {
    fc.assert(
      fc.property(quantityText, text => {
        const canonical = canonicalQuantity(text);
        expect(compareQuantities(canonical, text)).toBe(0);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  it('takes back by subtraction what it added', () => {
    fc.assert(
      fc.property(quantityText, quantityText, (left, right) => {
        expect(compareQuantities(subtractQuantities(addQuantities(left, right), right), left)).toBe(0);
      }),
    );
  });
});
