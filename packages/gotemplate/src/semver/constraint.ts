/**
 * Version constraints by Masterminds' rules, which are not npm's: a pre-release satisfies a group of constraints only if one of
 * them names a pre-release, and then against all of them.
 */

import { RE2JS } from 're2js';
import { GoError } from '../errors.ts';
import { byteLength } from '../text/bytes.ts';
import { quote } from '../text/quote.ts';
import { comparePrereleases, compareVersions, parseVersion, type Version } from './version.ts';

const maxLength = 512;
const maxGroups = 32;

const version =
  'v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?' +
  '(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?';
const operators = '=||!=|>|<|>=|=>|<=|=<|~|~>|\\^';
const single = RE2JS.compile(`^\\s*(${operators})\\s*(${version})\\s*$`);
const range = RE2JS.compile(`\\s*(${version})\\s+-\\s+(${version})\\s*`);
const each = RE2JS.compile(`(${operators})\\s*(${version})`);
const whole = RE2JS.compile(
  `^(\\s*(${operators})\\s*(${version})\\s*)((?:\\s+|,\\s*)(${operators})\\s*(${version})\\s*)*$`,
);

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** Parts left open by `x` or by leaving them out: `anything` is all of them. */
  readonly open: 'none' | 'patch' | 'minor' | 'anything';
}

/** Charts ask with a handful of constraints, over and over. */
const cacheSize = 200;
const cache = new Map<string, (version: Version) => boolean>();

/** Reads a constraint such as `>=1.2 <3 || ~4.1`. */
export function parseConstraint(text: string): (version: Version) => boolean {
  const known = cache.get(text);
  if (known) return known;
  const parsed = readConstraint(text);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(text, parsed);
  return parsed;
}

function readConstraint(text: string): (version: Version) => boolean {
  if (byteLength(text) > maxLength) throw new GoError(`constraint string is too long (max ${maxLength} bytes)`);
  const groups = rewriteRanges(text).split('||');
  if (groups.length > maxGroups) throw new GoError(`too many constraint groups (max ${maxGroups})`);
  const parsed = groups.map(group => {
    if (!whole.matcher(group).find()) throw new GoError(`improper constraint: ${quote(group)}`);
    const constraints = findAll(group).map(parseOne);
    return { constraints, prereleases: constraints.some(constraint => constraint.version.prerelease !== '') };
  });
  return candidate =>
    parsed.some(({ constraints, prereleases }) =>
      constraints.every(constraint => satisfies(candidate, constraint, prereleases)),
    );
}

/** `1.2 - 2.3` is `>= 1.2, <= 2.3`. */
function rewriteRanges(text: string): string {
  const matcher = range.matcher(text);
  let out = text;
  while (matcher.find()) {
    const rewritten = `>= ${matcher.group(1)}, <= ${matcher.group(11)} `;
    out = out.replace(matcher.group(0)!, () => rewritten);
  }
  return out;
}

function findAll(text: string): string[] {
  const found: string[] = [];
  const matcher = each.matcher(text);
  while (matcher.find()) found.push(matcher.group(0)!);
  return found.length > 0 ? found : [text];
}

const isOpen = (part: string | null | undefined) => !part || /^\.?[xX*]$/.test(part);

function parseOne(text: string): Constraint {
  const matcher = single.matcher(text);
  if (!matcher.find()) throw new GoError(`improper constraint: ${quote(text)}`);
  const [major, minor, patch, prerelease] = [3, 4, 5, 6].map(group => matcher.group(group) ?? '') as [
    string,
    string,
    string,
    string,
  ];
  const operator = matcher.group(1) ?? '';
  let open: Constraint['open'] = 'none';
  let plain = matcher.group(2)!;
  if (isOpen(major)) [open, plain] = ['anything', `0.0.0${prerelease}`];
  else if (isOpen(minor)) [open, plain] = ['minor', `${major}.0.0${prerelease}`];
  else if (isOpen(patch)) [open, plain] = ['patch', `${major}${minor}.0${prerelease}`];
  try {
    return { operator, version: parseVersion(plain), open };
  } catch {
    throw new GoError('constraint parser error');
  }
}

function satisfies(candidate: Version, constraint: Constraint, prereleases: boolean): boolean {
  if (candidate.prerelease !== '' && !prereleases) return false;
  const { version, open } = constraint;
  switch (constraint.operator) {
    case '!=':
      return differs(candidate, constraint);
    case '>':
      return isGreater(candidate, constraint);
    case '<':
      return compareVersions(candidate, version) < 0;
    case '>=':
    case '=>':
      return compareVersions(candidate, version) >= 0;
    case '<=':
    case '=<':
      return isAtMost(candidate, constraint);
    case '~':
    case '~>':
      return isTilde(candidate, constraint);
    case '^':
      return isCaret(candidate, constraint);
    default:
      return open === 'none' ? compareVersions(candidate, version) === 0 : isTilde(candidate, constraint);
  }
}

function differs(candidate: Version, { version, open }: Constraint): boolean {
  if (open !== 'none') {
    if (version.major !== candidate.major) return true;
    if (version.minor !== candidate.minor && open !== 'minor') return true;
    if (open === 'minor') return false;
    if (version.patch !== candidate.patch && open !== 'patch') return true;
    if (open === 'patch') {
      const named = candidate.prerelease !== '' || version.prerelease !== '';
      return named && comparePrereleases(candidate.prerelease, version.prerelease) !== 0;
    }
  }
  return compareVersions(candidate, version) !== 0;
}

function isGreater(candidate: Version, { version, open }: Constraint): boolean {
  if (open === 'none') return compareVersions(candidate, version) > 0;
  if (candidate.major !== version.major) return candidate.major > version.major;
  if (open === 'minor') return false;
  return open === 'patch' ? candidate.minor > version.minor : compareVersions(candidate, version) > 0;
}

function isAtMost(candidate: Version, { version, open }: Constraint): boolean {
  if (open === 'none') return compareVersions(candidate, version) <= 0;
  if (candidate.major > version.major) return false;
  return !(candidate.major === version.major && candidate.minor > version.minor && open !== 'minor');
}

function isTilde(candidate: Version, { version, open }: Constraint): boolean {
  if (compareVersions(candidate, version) < 0) return false;
  const isZero = version.major === 0n && version.minor === 0n && version.patch === 0n;
  if (isZero && open !== 'minor' && open !== 'patch') return true;
  return candidate.major === version.major && (candidate.minor === version.minor || open === 'minor');
}

function isCaret(candidate: Version, { version, open }: Constraint): boolean {
  if (compareVersions(candidate, version) < 0) return false;
  if (version.major > 0n || open === 'minor') return candidate.major === version.major;
  if (candidate.major > 0n) return false;
  if (version.minor > 0n || open === 'patch') return candidate.minor === version.minor;
  return candidate.minor === 0n && candidate.patch === version.patch;
}
