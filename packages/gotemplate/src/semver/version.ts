/** Versions as Masterminds/semver 3.5 reads them: `v1.2` is 1.2.0. */

import { GoError } from '../errors.ts';
import { MAX_UINT64 } from '../text/number.ts';

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  /** The text it was read from. */
  readonly original: string;
}

const maxLength = 256;
const pattern =
  /^v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?$/;

export function parseVersion(text: string): Version {
  if (text.length > maxLength) throw new GoError(`version string is too long (max ${maxLength} bytes)`);
  const match = pattern.exec(text);
  if (!match) throw new GoError('invalid semantic version');
  const prerelease = match[5] ?? '';
  if (prerelease.split('.').some(part => /^0[0-9]+$/.test(part))) throw new GoError('version segment starts with 0');
  return {
    major: segment(match[1]!),
    minor: segment(match[2]?.slice(1) ?? '0'),
    patch: segment(match[3]?.slice(1) ?? '0'),
    prerelease,
    metadata: match[8] ?? '',
    original: text,
  };
}

function segment(digits: string): bigint {
  const value = BigInt(digits);
  if (value > MAX_UINT64) {
    throw new GoError(`error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`);
  }
  return value;
}

export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

const compareSegments = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Less than, equal to or more than zero; metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareSegments(a.major, b.major) ||
    compareSegments(a.minor, b.minor) ||
    compareSegments(a.patch, b.patch) ||
    (a.prerelease === b.prerelease
      ? 0
      : !a.prerelease
        ? 1
        : !b.prerelease
          ? -1
          : comparePrereleases(a.prerelease, b.prerelease))
  );
}

export function comparePrereleases(a: string, b: string): number {
  const left = a.split('.');
  const right = b.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const result = compareParts(left[index] ?? '', right[index] ?? '');
    if (result !== 0) return result;
  }
  return 0;
}

/** Numbers compare as numbers and come before words. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const [left, right] = [asNumber(a), asNumber(b)];
  if (left === undefined && right === undefined) return a > b ? 1 : -1;
  if (right === undefined) return -1;
  if (left === undefined) return 1;
  return left > right ? 1 : -1;
}

function asNumber(text: string): bigint | undefined {
  return /^[0-9]+$/.test(text) && BigInt(text) <= MAX_UINT64 ? BigInt(text) : undefined;
}
