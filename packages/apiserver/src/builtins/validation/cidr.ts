/** Ranges of addresses. */
import { invalidValue } from '../../field-error.ts';
import { type Errors, isIPv4, isIPv6 } from './fields.ts';

export const NO_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function checkCidr(errors: Errors, path: string, value: string): void {
  if (parseCidr(value) === undefined) errors.push(invalidValue(path, value, NO_CIDR));
}

export interface Cidr {
  readonly family: 4 | 6;
  readonly address: bigint;
  readonly bits: number;
}

/** `10.0.0.0/8` or `2001:db8::/32`; undefined for what is neither. */
export function parseCidr(text: string): Cidr | undefined {
  const [, address, length] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (address === undefined) return undefined;
  const bits = Number(length);
  if (isIPv4(address) && bits <= 32) {
    const number = address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    return { family: 4, address: number, bits };
  }
  return isIPv6(address) && bits <= 128 ? { family: 6, address: parse6(address), bits } : undefined;
}

function parse6(text: string): bigint {
  const written = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const middle = tail === undefined ? [] : new Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...middle, ...after].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

/** Whether all of one range lies in another, larger one. */
export function isInside(part: Cidr, whole: Cidr): boolean {
  if (part.family !== whole.family || part.bits <= whole.bits) return false;
  const shift = BigInt((whole.family === 4 ? 32 : 128) - whole.bits);
  return part.address >> shift === whole.address >> shift;
}
