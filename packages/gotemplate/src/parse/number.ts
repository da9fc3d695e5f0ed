/**
 * Number constants. Like Go's ideal constants, one number may serve as several types; the place where it is used picks.
 */

import { GoError } from '../errors.ts';
import { MAX_INT64, MAX_UINT64, MIN_INT64, readFloat, readInteger, readUnsigned } from '../text/number.ts';
import { quote, unquoteChar } from '../text/quote.ts';
import type { TokenType } from './token.ts';

export interface NumberConstant {
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: { readonly real: number; readonly imaginary: number } | undefined;
}

/** A number that could be read. */
const found = <T extends bigint | number>(read: T | string): T | undefined =>
  typeof read === 'string' ? undefined : read;

/** Reads the number; throws a GoError with Go's words for what is wrong. */
export function numberConstant(text: string, type: TokenType): NumberConstant {
  if (type === 'charConstant') return character(text);
  if (type === 'complex') return fromComplex(text, complexParts(text));
  if (text.endsWith('i')) {
    const imaginary = found(readFloat(text.slice(0, -1)));
    if (imaginary !== undefined) return fromComplex(text, { real: 0, imaginary });
  }
  const int = found(readInteger(text, 0));
  const uint = found(readUnsigned(text, 0)) ?? (int === 0n ? 0n : undefined);
  if (int !== undefined || uint !== undefined) {
    return { text, int, uint, float: Number(int ?? uint), complex: undefined };
  }
  const float = found(readFloat(text));
  if (float === undefined) throw new GoError(`illegal number syntax: ${quote(text)}`);
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`);
  return { text, ...integersOf(float), float, complex: undefined };
}

function character(text: string): NumberConstant {
  const { code, end } = unquoteChar(text, 1, "'");
  if (text.slice(end) !== "'") throw new GoError(`malformed character constant: ${text}`);
  return { text, int: BigInt(code), uint: BigInt(code), float: code, complex: undefined };
}

function complexParts(text: string): { real: number; imaginary: number } {
  const split = /^(.*?[^eEpP])([+-].*)i$/.exec(text);
  const real = split && readFloat(split[1]!);
  const imaginary = split && readFloat(split[2]!);
  if (typeof real !== 'number' || typeof imaginary !== 'number')
    throw new GoError('syntax error scanning complex number');
  return { real, imaginary };
}

function fromComplex(text: string, complex: { real: number; imaginary: number }): NumberConstant {
  if (complex.imaginary !== 0) return { text, int: undefined, uint: undefined, float: undefined, complex };
  return { text, ...integersOf(complex.real), float: complex.real, complex };
}

function integersOf(float: number): { int: bigint | undefined; uint: bigint | undefined } {
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined };
  const whole = BigInt(float);
  return {
    int: whole >= MIN_INT64 && whole <= MAX_INT64 ? whole : undefined,
    uint: whole >= 0n && whole <= MAX_UINT64 ? whole : undefined,
  };
}

/** Whether a constant without a type in sight is a float: it looks like one and is no hexadecimal integer or character. */
export function looksFloat({ text }: NumberConstant): boolean {
  const hexInteger = /^0[xX]./.test(text) && !/[pP]/.test(text);
  return !hexInteger && !text.startsWith("'") && /[.eEpP]/.test(text);
}
