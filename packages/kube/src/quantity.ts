/**
 * Kubernetes quantities (`250m`, `1.5Gi`, `1e3`), exact. The smallest unit is the nano, so a quantity is a whole number of
 * nanos in a bigint; sums never round.
 */

export interface Quantity {
  readonly nanos: bigint;
  /** How it is written: decimal suffixes (`k`, `M`), binary ones (`Ki`, `Mi`) or an exponent (`e3`). */
  readonly format: QuantityFormat;
  /** The text it was read from, where the API server keeps that instead of the canonical form. */
  readonly text?: string;
}

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The text is not a quantity. The message is the API server's. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
  readonly code = 'QUANTITY_INVALID';
}

const NANO = 9;
const NANOS_IN_ONE = 10n ** 9n;
/** Binary quantities end here, because Kubernetes counts bytes in 64 bits. */
const MOST_BINARY_NANOS = (2n ** 63n - 1n) * NANOS_IN_ONE;
/** Beyond any real amount; it keeps a hostile `1e999999999` from filling the memory with digits. */
const LARGEST_EXPONENT = 1000;

const DECIMAL_EXPONENTS = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY_EXPONENTS = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

/** Reads a quantity; a number is read as its decimal text. Throws a `QuantityError`. */
export function parseQuantity(value: string | number): Quantity {
  const text = String(value);
  const found = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (text === '' || found === null) {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  const parts: Parts = { sign: found[1]!, whole: found[2]!.replace(/^0+/, '') || '0', fraction: found[3] ?? '', text };
  const { base, exponent, format } = parseSuffix(found[4]!);
  return base === 2 ? binaryQuantity(parts, exponent) : decimalQuantity(parts, exponent, format);
}

interface Parts {
  readonly sign: string;
  /** Without leading zeros. */
  readonly whole: string;
  readonly fraction: string;
  readonly text: string;
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function parseSuffix(suffix: string): Suffix {
  const decimal = DECIMAL_EXPONENTS.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY_EXPONENTS.get(suffix);
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > LARGEST_EXPONENT) {
    throw new QuantityError("unable to parse quantity's suffix");
  }
  return { base: 10, exponent: Number(exponent), format: 'DecimalExponent' };
}

function decimalQuantity(parts: Parts, exponent: number, format: QuantityFormat): Quantity {
  const digits = parts.whole + parts.fraction;
  const scale = exponent - parts.fraction.length;
  const nanos = signed(parts, scaled(BigInt(digits), scale + NANO));
  // Kubernetes' short cut for common numbers keeps the text if it looks canonical, `1.500` and `+1` included.
  const kept = digits.length <= 18 && scale >= -NANO && scale % 3 === 0 && !/^0|000$/.test(digits);
  return kept ? { nanos, format, text: parts.text } : { nanos, format };
}

function binaryQuantity(parts: Parts, exponent: number): Quantity {
  const digits = BigInt(parts.whole + parts.fraction) << BigInt(exponent);
  let nanos = scaled(digits, NANO - parts.fraction.length);
  if (nanos > MOST_BINARY_NANOS) nanos = MOST_BINARY_NANOS;
  const kept =
    parts.fraction === '' &&
    14 - parts.whole.length - Math.trunc((exponent * 3) / 10) >= 0 &&
    (BigInt(parts.whole) & 7n) !== 0n;
  if (kept) return { nanos: signed(parts, nanos), format: 'BinarySI', text: parts.text };
  const format = nanos > 0n && nanos < NANOS_IN_ONE ? 'DecimalSI' : 'BinarySI';
  return { nanos: signed(parts, nanos), format };
}

/** value × 10^power, away from zero where it does not come out even: who asks for a little shall get a little. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}

function signed({ sign }: Parts, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** Writes a quantity as the API server would: canonical, or as it was read where that is kept. */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format, text } = quantity;
  if (text !== undefined) return text;
  if (nanos === 0n) return '0';
  const magnitude = nanos < 0n ? -nanos : nanos;
  // Small and fractional amounts are written in decimal, so that nothing is lost.
  if (format === 'BinarySI' && magnitude >= 1024n * NANOS_IN_ONE && nanos % NANOS_IN_ONE === 0n) {
    return formatBinary(nanos / NANOS_IN_ONE);
  }
  return formatDecimal(nanos, format === 'DecimalExponent' ? 'DecimalExponent' : 'DecimalSI');
}

function formatBinary(value: bigint): string {
  let number = value;
  let suffix = '';
  for (const next of BINARY_EXPONENTS.keys()) {
    if (number % 1024n !== 0n) break;
    number /= 1024n;
    suffix = next;
  }
  return `${number}${suffix}`;
}

const DECIMAL_SUFFIXES = new Map([...DECIMAL_EXPONENTS].map(([suffix, exponent]) => [exponent, suffix]));
const LARGEST_DECIMAL_SUFFIX = 18;

function formatDecimal(nanos: bigint, format: 'DecimalSI' | 'DecimalExponent'): string {
  let number = nanos;
  let exponent = -NANO;
  while (number % 1000n === 0n && (format === 'DecimalExponent' || exponent < LARGEST_DECIMAL_SUFFIX)) {
    number /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalSI') return `${number}${DECIMAL_SUFFIXES.get(exponent)}`;
  return exponent === 0 ? `${number}` : `${number}e${exponent}`;
}

/** The form in which the API server stores this quantity: `1000m` → `1`, `1024Ki` → `1Mi`. */
export function canonicalQuantity(value: string | number): string {
  return formatQuantity(parseQuantity(value));
}

const asQuantity = (value: Quantity | string | number): Quantity =>
  typeof value === 'object' ? value : parseQuantity(value);

/** Negative, zero or positive, as `Array.sort` wants it. `1` and `1000m` are equal. */
export function compareQuantities(left: Quantity | string | number, right: Quantity | string | number): -1 | 0 | 1 {
  const difference = asQuantity(left).nanos - asQuantity(right).nanos;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, written as the first that is not zero. */
export function addQuantities(left: Quantity | string | number, right: Quantity | string | number): Quantity {
  return combine(asQuantity(left), asQuantity(right), 1n);
}

/** The difference, written as the first that is not zero. */
export function subtractQuantities(left: Quantity | string | number, right: Quantity | string | number): Quantity {
  return combine(asQuantity(left), asQuantity(right), -1n);
}

function combine(left: Quantity, right: Quantity, factor: bigint): Quantity {
  return { nanos: left.nanos + factor * right.nanos, format: left.nanos === 0n ? right.format : left.format };
}

/** As a number, e.g. `250m` → 0.25: for comparing with measurements, not for sums of money. */
export function quantityToNumber(value: Quantity | string | number): number {
  const { nanos } = asQuantity(value);
  const whole = nanos / NANOS_IN_ONE;
  return Number(whole) + Number(nanos - whole * NANOS_IN_ONE) / Number(NANOS_IN_ONE);
}
