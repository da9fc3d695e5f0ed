/** `.Capabilities` and `.Release`. */

import { GoMap, GoObject, GoSlice, go, method, types } from '@capstan/gotemplate';
import type { HelmVersion } from '../version.ts';
import { type Capabilities, helmBuild, type KubeVersion } from './capabilities.ts';

export interface ReleaseContext {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly isUpgrade: boolean;
}

/** Linting is neither an install nor an upgrade. */
export function releaseObject(
  { name, namespace, revision, isUpgrade }: ReleaseContext,
  isInstall: boolean = !isUpgrade,
): GoMap {
  return new GoMap(
    Object.entries({
      Name: name,
      Namespace: namespace,
      IsUpgrade: isUpgrade,
      IsInstall: isInstall,
      Revision: go.int(revision),
      Service: 'Helm',
    }),
  );
}

/** The Go package of these types, which `typeOf` and error messages tell. */
const packageOf = (helm: HelmVersion) => (helm === 3 ? 'chartutil' : 'common');

const stateOf = (object: GoObject) => object.state as KubeVersion;

function makeTypes(helm: HelmVersion) {
  const prefix = packageOf(helm);
  const text = (object: GoObject) => (helm === 3 ? stateOf(object).version : stateOf(object).normalized);
  const kube: types.GoType = {
    name: `${prefix}.KubeVersion`,
    kind: 'struct',
    named: true,
    pointerText: text,
    methods: {
      String: method('', text),
      GitVersion: method('', (object: GoObject) => stateOf(object).version),
    },
  };
  const versions: types.GoType = {
    name: `${prefix}.VersionSet`,
    kind: 'slice',
    elem: types.STRING,
    named: true,
    methods: { Has: method('string', (set: GoSlice, name) => set.items.includes(name)) },
  };
  const build: types.GoType = { name: 'version.BuildInfo', kind: 'struct', named: true };
  const all = types.pointerTo({ name: `${prefix}.Capabilities`, kind: 'struct', named: true });
  return { kube, versions, build, all };
}

const typesOf = { 3: makeTypes(3), 4: makeTypes(4) };

export function capabilitiesObject({ kubeVersion, apiVersions }: Capabilities, helm: HelmVersion): GoObject {
  const { kube, versions, build, all } = typesOf[helm];
  const normalized = { name: 'normalizedVersion', value: kubeVersion.normalized, hidden: true };
  const kubeFields = [
    { name: 'Version', value: kubeVersion.version },
    ...(helm === 4 ? [normalized] : []),
    { name: 'Major', value: kubeVersion.major },
    { name: 'Minor', value: kubeVersion.minor },
  ];
  const buildFields = helmBuild[helm].map(([name, json, value]) => ({ name, json, value, omitEmpty: true }));
  return new GoObject(all, [
    { name: 'KubeVersion', value: new GoObject(kube, kubeFields, kubeVersion) },
    { name: 'APIVersions', value: new GoSlice(apiVersions, versions) },
    { name: 'HelmVersion', value: new GoObject(build, buildFields) },
  ]);
}

/** `chartutil.Values`: a named map, whose methods are not for templates here. */
export function valuesType(helm: HelmVersion): types.GoType {
  return valuesTypes[helm];
}

const makeValuesType = (helm: HelmVersion): types.GoType => ({
  name: `${packageOf(helm)}.Values`,
  kind: 'map',
  elem: types.ANY,
  named: true,
});
const valuesTypes = { 3: makeValuesType(3), 4: makeValuesType(4) };
