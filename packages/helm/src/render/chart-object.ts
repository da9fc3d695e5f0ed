/** `.Chart`: the metadata as templates see it, a map in Helm 4 and a struct in Helm 3. */

import { encodeJson, type Field, GoMap, GoObject, GoSlice, types, type Value } from '@capstan/gotemplate';
import type { Dependency, Maintainer, Metadata } from '../chart/metadata.ts';
import { templateValue } from '../values/template-value.ts';
import type { HelmVersion } from '../version.ts';

type Row = readonly [name: string, json: string, value: Value];

const text = (value: string | undefined): string => value ?? '';

function metadataRows(metadata: Metadata, lists: Lists): Row[] {
  return [
    ['Name', 'name', metadata.name],
    ['Home', 'home', text(metadata.home)],
    ['Sources', 'sources', lists.strings(metadata.sources)],
    ['Version', 'version', metadata.version],
    ['Description', 'description', text(metadata.description)],
    ['Keywords', 'keywords', lists.strings(metadata.keywords)],
    ['Maintainers', 'maintainers', lists.structs(metadata.maintainers, 'chart.Maintainer', maintainerRows)],
    ['Icon', 'icon', text(metadata.icon)],
    ['APIVersion', 'apiVersion', metadata.apiVersion],
    ['Condition', 'condition', text(metadata.condition)],
    ['Tags', 'tags', text(metadata.tags)],
    ['AppVersion', 'appVersion', text(metadata.appVersion)],
    ['Deprecated', 'deprecated', metadata.deprecated ?? false],
    ['Annotations', 'annotations', annotations(metadata.annotations)],
    ['KubeVersion', 'kubeVersion', text(metadata.kubeVersion)],
    ['Dependencies', 'dependencies', lists.structs(metadata.dependencies, 'chart.Dependency', dependencyRows)],
    ['Type', 'type', text(metadata.type)],
  ];
}

const maintainerRows = ({ name, email, url }: Maintainer): Row[] => [
  ['Name', 'name', text(name)],
  ['Email', 'email', text(email)],
  ['URL', 'url', text(url)],
];

const dependencyRows = (dependency: Dependency, lists: Lists): Row[] => [
  ['Name', 'name', dependency.name],
  ['Version', 'version', text(dependency.version)],
  ['Repository', 'repository', dependency.repository],
  ['Condition', 'condition', text(dependency.condition)],
  ['Tags', 'tags', lists.strings(dependency.tags)],
  ['Enabled', 'enabled', dependency.enabled ?? false],
  ['ImportValues', 'import-values', lists.values(dependency['import-values']?.map(templateValue))],
  ['Alias', 'alias', text(dependency.alias)],
];

function annotations(given: Readonly<Record<string, string>> | undefined): GoMap {
  return new GoMap(Object.entries(given ?? {}), types.STRING_MAP, given === undefined);
}

/** Lists within the metadata: of their own types in Helm 3, of anything in Helm 4. */
interface Lists {
  strings(items: readonly string[] | undefined): GoSlice;
  values(items: readonly Value[] | undefined): GoSlice;
  structs<T>(items: readonly T[] | undefined, type: string, rows: (item: T, lists: Lists) => Row[]): GoSlice;
}

const asMap = (rows: readonly Row[]): GoMap => new GoMap(rows.map(([name, , value]) => [name, value]));

const looseLists: Lists = {
  strings: items => new GoSlice(items ?? []),
  values: items => new GoSlice(items ?? []),
  structs: (items, _, rows) => new GoSlice((items ?? []).map(item => asMap(rows(item, looseLists)))),
};

/** A dependency has a name and a repository in JSON even where they are empty. */
const alwaysThere: Readonly<Record<string, readonly string[]>> = { 'chart.Dependency': ['Name', 'Repository'] };

const asFields = (type: string, rows: readonly Row[]): Field[] =>
  rows.map(([name, json, value]) => ({ name, value, json, omitEmpty: !alwaysThere[type]?.includes(name) }));

const typedLists: Lists = {
  strings: items => new GoSlice(items ?? [], types.STRING_SLICE, items === undefined),
  values: items => new GoSlice(items ?? [], types.ANY_SLICE, items === undefined),
  structs: (items, name, rows) => {
    const pointer = types.pointerTo({ name, kind: 'struct', named: true });
    const objects = (items ?? []).map(item => new GoObject(pointer, asFields(name, rows(item, typedLists))));
    return new GoSlice(objects, types.sliceOf(pointer), items === undefined);
  },
};

const METADATA: types.GoType = { name: 'chart.Metadata', kind: 'struct', named: true };
const EMBEDDING: types.GoType = {
  name: 'struct { chart.Metadata; IsRoot bool }',
  kind: 'struct',
  named: false,
  json: (chart: EmbeddingObject) => `${encodeJson(chart.embedded).slice(0, -1)},"IsRoot":${chart.isRoot}}`,
};

/** A struct that embeds the metadata, whose fields count as its own. */
class EmbeddingObject extends GoObject {
  readonly embedded: GoObject;
  readonly isRoot: boolean;

  constructor(embedded: GoObject, isRoot: boolean) {
    super(EMBEDDING, [
      { name: 'Metadata', value: embedded },
      { name: 'IsRoot', value: isRoot },
    ]);
    this.embedded = embedded;
    this.isRoot = isRoot;
  }

  override field(name: string): Field | undefined {
    return super.field(name) ?? this.embedded.field(name);
  }
}

export function chartObject(metadata: Metadata, isRoot: boolean, helm: HelmVersion): Value {
  if (helm === 4) {
    const map = asMap(metadataRows(metadata, looseLists));
    map.set('IsRoot', isRoot);
    return map;
  }
  return new EmbeddingObject(
    new GoObject(METADATA, asFields(METADATA.name, metadataRows(metadata, typedLists))),
    isRoot,
  );
}
