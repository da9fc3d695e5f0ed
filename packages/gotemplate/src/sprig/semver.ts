import { encodeString } from '../json/encode.ts';
import { parseConstraint } from '../semver/constraint.ts';
import { compareVersions, parseVersion, type Version, versionText } from '../semver/version.ts';
import { define, type FuncMap, method } from '../value/function.ts';
import { type GoType, pointerTo, UINT64 } from '../value/types.ts';
import { GoObject, Int, type Value } from '../value/values.ts';

const stateOf = (object: GoObject) => object.state as Version;
const uint64 = (value: bigint) => new Int(value, UINT64);

/** Compares with another version; the parameter of these methods is `*semver.Version`. */
const comparing = (decide: (order: number) => Value) =>
  method('any', (self: GoObject, other) => decide(compareVersions(stateOf(self), stateOf(other as GoObject))));

const VERSION: GoType = {
  name: 'semver.Version',
  kind: 'struct',
  named: true,
  text: (object: GoObject) => versionText(stateOf(object)),
  json: (object: GoObject) => encodeString(versionText(stateOf(object)), true),
  methods: {
    Major: method('', (self: GoObject) => uint64(stateOf(self).major)),
    Minor: method('', (self: GoObject) => uint64(stateOf(self).minor)),
    Patch: method('', (self: GoObject) => uint64(stateOf(self).patch)),
    Prerelease: method('', (self: GoObject) => stateOf(self).prerelease),
    Metadata: method('', (self: GoObject) => stateOf(self).metadata),
    String: method('', (self: GoObject) => versionText(stateOf(self))),
    IncMajor: method('', (self: GoObject) => incremented(stateOf(self), 'major')),
    IncMinor: method('', (self: GoObject) => incremented(stateOf(self), 'minor')),
    IncPatch: method('', (self: GoObject) => incremented(stateOf(self), 'patch')),
  },
};

/** What is declared on the pointer is not seen on the plain value that `IncMajor` and its kin give. */
const VERSION_POINTER: GoType = {
  ...pointerTo(VERSION),
  methods: {
    ...VERSION.methods,
    Original: method('', (self: GoObject) => stateOf(self).original),
    Compare: comparing(order => new Int(BigInt(order))),
    Equal: comparing(order => order === 0),
    LessThan: comparing(order => order < 0),
    LessThanEqual: comparing(order => order <= 0),
    GreaterThan: comparing(order => order > 0),
    GreaterThanEqual: comparing(order => order >= 0),
  },
};

const makeVersion = (version: Version, type: GoType = VERSION_POINTER) =>
  new GoObject(
    type,
    [
      { name: 'major', value: uint64(version.major), hidden: true },
      { name: 'minor', value: uint64(version.minor), hidden: true },
      { name: 'patch', value: uint64(version.patch), hidden: true },
      { name: 'pre', value: version.prerelease, hidden: true },
      { name: 'metadata', value: version.metadata, hidden: true },
      { name: 'original', value: version.original, hidden: true },
    ],
    version,
  );

function incremented(version: Version, part: 'major' | 'minor' | 'patch'): GoObject {
  const released = { ...version, prerelease: '', metadata: '' };
  const next =
    part === 'major'
      ? { ...released, major: version.major + 1n, minor: 0n, patch: 0n }
      : part === 'minor'
        ? { ...released, minor: version.minor + 1n, patch: 0n }
        : { ...released, patch: version.prerelease === '' ? version.patch + 1n : version.patch };
  const prefix = version.original.startsWith('v') ? 'v' : '';
  return makeVersion({ ...next, original: prefix + versionText(next) }, VERSION);
}

export const semverFunctions: FuncMap = {
  semver: define('string', text => makeVersion(parseVersion(text))),
  semverCompare: define('string, string', (constraint, version) => {
    const accepts = parseConstraint(constraint);
    return accepts(parseVersion(version));
  }),
};
