import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { parseSemver, type Semver } from '../value/semver.ts';
import { define, type Overload } from './overload.ts';

type Pair = [Semver, Semver];

export const semvers: readonly Overload[] = [
  define('semver', 'string_to_semver', '(string): kubernetes.Semver', toSemver),
  define('semver', 'string_bool_to_semver', '(string, bool): kubernetes.Semver', toSemver),
  define('isSemver', 'is_semver_string', '(string): bool', isSemver),
  define('isSemver', 'is_semver_string_bool', '(string, bool): bool', isSemver),
  define('major', 'semver_major', '.(kubernetes.Semver): int', ([version]: [Semver]) => asInt(version.numbers[0])),
  define('minor', 'semver_minor', '.(kubernetes.Semver): int', ([version]: [Semver]) => asInt(version.numbers[1])),
  define('patch', 'semver_patch', '.(kubernetes.Semver): int', ([version]: [Semver]) => asInt(version.numbers[2])),
  define(
    'isGreaterThan',
    'semver_is_greater_than',
    '.(kubernetes.Semver, kubernetes.Semver): bool',
    ([left, right]: Pair) => left.compare(right) > 0,
  ),
  define(
    'isLessThan',
    'semver_is_less_than',
    '.(kubernetes.Semver, kubernetes.Semver): bool',
    ([left, right]: Pair) => left.compare(right) < 0,
  ),
  define('compareTo', 'semver_compare_to', '.(kubernetes.Semver, kubernetes.Semver): int', ([left, right]: Pair) =>
    BigInt(left.compare(right)),
  ),
];

function toSemver([text, normalize]: [string, boolean?], meter: Meter): Semver | Failure {
  meter.scan(text.length);
  return parseSemver(text, normalize) ?? malformed(text);
}

function malformed(text: string): Failure {
  if (text === '') return new Failure('Version string empty');
  const isShort = text.split('.').length < 3;
  return new Failure(
    isShort ? 'No Major.Minor.Patch elements found' : `Invalid version ${JSON.stringify(text.slice(0, 64))}`,
  );
}

function isSemver([text, normalize]: [string, boolean?], meter: Meter): boolean {
  meter.scan(text.length);
  return parseSemver(text, normalize) !== undefined;
}

/** Versions hold unsigned numbers, CEL reads them as signed ones: the top bit becomes the sign. */
const asInt = (value: bigint): bigint => BigInt.asIntN(64, value);
