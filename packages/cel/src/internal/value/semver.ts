import { Opaque } from './opaque.ts';
import { fitsUint } from './uint.ts';

/** A version by the rules of semver.org. Build metadata does not count when two are compared. */
export class Semver extends Opaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  override equals(other: Opaque): boolean {
    return other instanceof Semver && this.compare(other) === 0;
  }

  compare(other: Semver): -1 | 0 | 1 {
    for (const [index, number] of this.numbers.entries()) {
      const against = other.numbers[index]!;
      if (number !== against) return number < against ? -1 : 1;
    }
    return comparePrerelease(this.prerelease, other.prerelease);
  }
}

const NUMERIC = /^\d+$/;

/** A release is newer than its prereleases; numbers come before words and compare as numbers. */
function comparePrerelease(left: readonly string[], right: readonly string[]): -1 | 0 | 1 {
  if (left.length === 0 || right.length === 0) {
    return left.length === right.length ? 0 : left.length === 0 ? 1 : -1;
  }
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const a = left[index]!;
    const b = right[index]!;
    if (a === b) continue;
    if (NUMERIC.test(a) !== NUMERIC.test(b)) return NUMERIC.test(a) ? -1 : 1;
    if (NUMERIC.test(a)) return BigInt(a) < BigInt(b) ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

const MAX_LENGTH = 4096;

/** Strictly `1.2.3-pre+build`; with `normalize` also `v1`, `1.2` and `01.02.03`. */
export function parseSemver(text: string, normalize = false): Semver | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const spelling = normalize ? normalized(text) : text;
  const match = spelling === undefined ? undefined : /^(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?(?:\+(.*))?$/s.exec(spelling);
  if (!match) return undefined;
  const [, major = '', minor = '', patch = '', prerelease, build] = match;
  if ([major, minor, patch].some(number => hasLeadingZero(number) || number.length > 20)) return undefined;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  const identifiers = prerelease?.split('.') ?? [];
  const isValid =
    numbers.every(fitsUint) &&
    identifiers.every(part => /^[0-9A-Za-z-]+$/.test(part) && !isBadNumber(part)) &&
    (build?.split('.') ?? []).every(part => /^[0-9A-Za-z-]+$/.test(part));
  return isValid ? new Semver(numbers, identifiers) : undefined;
}

const hasLeadingZero = (number: string): boolean => number.length > 1 && number.startsWith('0');
const isBadNumber = (part: string): boolean => NUMERIC.test(part) && (hasLeadingZero(part) || part.length > 20);

function normalized(text: string): string | undefined {
  const bare = text.replace(/^v/, '');
  const [major = '', minor, ...rest] = bare.split('.');
  const parts = [major, minor, rest.length === 0 ? undefined : rest.join('.')].filter(part => part !== undefined);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return undefined;
  const trimmed = parts.map(part => (part.length > 1 ? part.replace(/^0+(?=\d)/, '') : part));
  while (trimmed.length < 3) trimmed.push('0');
  return trimmed.join('.');
}
