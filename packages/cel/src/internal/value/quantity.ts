import { Opaque } from './opaque.ts';
import { fitsInt } from './uint.ts';

const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** What fits into a 64-bit mantissa is kept as written; anything else is rounded up to billionths and capped here. */
const LARGEST = (2n ** 63n - 1n) * 10n ** 9n;

/**
 * A Kubernetes quantity: `digits × 10^scale`. `exact` ones came from few enough digits for Kubernetes to hold them as an
 * integer with a scale; only those can be asked for their integer value.
 */
export class Quantity extends Opaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly digits: bigint;
  readonly scale: number;
  readonly exact: boolean;

  constructor(digits: bigint, scale: number, exact: boolean) {
    super();
    this.digits = digits;
    this.scale = scale;
    this.exact = exact;
  }

  override equals(other: Opaque): boolean {
    return other instanceof Quantity && this.compare(other) === 0;
  }

  compare(other: Quantity): -1 | 0 | 1 {
    const scale = Math.min(this.scale, other.scale);
    const left = this.#at(scale);
    const right = other.#at(scale);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  plus(other: Quantity): Quantity {
    if (other.digits === 0n) return this;
    if (this.digits === 0n) return other;
    const scale = Math.min(this.scale, other.scale);
    const sum = this.#at(scale) + other.#at(scale);
    return new Quantity(sum, scale, this.exact && other.exact && fitsInt(sum));
  }

  negated(): Quantity {
    return new Quantity(-this.digits, this.scale, this.exact);
  }

  /** `undefined` for fractions and for what 64 bits cannot hold. */
  toInteger(): bigint | undefined {
    if (!this.exact || this.scale < 0) return undefined;
    const value = this.#at(0);
    return fitsInt(value) ? value : undefined;
  }

  toNumber(): number {
    return Number(`${this.digits}e${this.scale}`);
  }

  #at(scale: number): bigint {
    return this.digits * 10n ** BigInt(this.scale - scale);
  }
}

/** Longer texts are no quantities anybody wrote, and big-number work. */
const MAX_LENGTH = 256;

/** `1.5Gi`, `100m`, `12e6`; `undefined` for anything else. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const power = parseSuffix(suffix);
  if (!power) return undefined;
  const num = whole.replace(/^0+/, '') || '0';
  const magnitude = power.base === 10 ? decimal(num, fraction, power.exponent) : binary(num, fraction, power.exponent);
  return sign === '-' ? magnitude.negated() : magnitude;
}

function parseSuffix(suffix: string): { readonly base: 2 | 10; readonly exponent: number } | undefined {
  if (Object.hasOwn(BINARY, suffix)) return { base: 2, exponent: BINARY[suffix]! };
  if (Object.hasOwn(DECIMAL, suffix)) return { base: 10, exponent: DECIMAL[suffix]! };
  const exponent = /^[eE]([+-]?\d{1,9})$/.exec(suffix);
  return exponent ? { base: 10, exponent: Number(exponent[1]) } : undefined;
}

function decimal(num: string, fraction: string, exponent: number): Quantity {
  const scale = exponent - fraction.length;
  if (num.length + fraction.length <= 18 && scale >= -9 && exponent <= 1000) {
    return new Quantity(BigInt(num + fraction), scale, true);
  }
  return rounded(BigInt(num + fraction), scale);
}

function binary(num: string, fraction: string, exponent: number): Quantity {
  const digits = BigInt(num + fraction) << BigInt(exponent);
  const precision = 15 - num.length - Math.trunc((exponent * 3) / 10) - 1;
  if (fraction === '' && precision >= 0 && fitsInt(digits)) return new Quantity(digits, 0, true);
  return rounded(digits, -fraction.length);
}

/** Up to the next billionth, and no further than the largest amount. */
function rounded(digits: bigint, scale: number): Quantity {
  if (digits === 0n) return new Quantity(0n, 0, false);
  if (scale > 64) return new Quantity(LARGEST, -9, false);
  if (scale < -9 - 2 * MAX_LENGTH) return new Quantity(1n, -9, false);
  const shift = scale + 9;
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const billionths = shift >= 0 ? digits * 10n ** BigInt(shift) : (digits + divisor - 1n) / divisor;
  return new Quantity(billionths > LARGEST ? LARGEST : billionths, -9, false);
}
