/** How an entry of the tables in `kinds/` becomes a `KindDefinition`: what most kinds have in common is said here once. */
import type { Draft, KindDefinition, ScaleSubresource, Stored, Verb } from '../kind.ts';
import { zeroStruct } from './round-trip.ts';
import { schemaOf } from './schema-graph.ts';
import { type StrategyRules, strategyOf } from './strategy.ts';

/** What a table says about a kind. */
export interface KindEntry {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** True where absent. */
  readonly namespaced?: boolean;
  /** All eight where absent. */
  readonly verbs?: readonly Verb[];
  readonly status?: boolean;
  readonly scale?: ScaleSubresource;
  readonly other?: readonly string[];
  readonly selectableFields?: Readonly<Record<string, (object: Stored) => string>>;
  /** Said to whoever uses it, where it is on its way out. */
  readonly deprecation?: string;
  readonly rules?: StrategyRules;
  readonly storage?: KindDefinition['storage'];
  readonly fromStorage?: (object: Stored) => Draft;
  readonly toStorage?: (draft: Draft) => Draft;
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** Of the definitions of this version: `io.k8s.api.apps.v1`. */
  readonly definitions: string;
}

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

export function defineKinds(groupVersion: GroupVersion, entries: readonly KindEntry[]): readonly KindDefinition[] {
  return entries.map(entry => defineKind(groupVersion, entry));
}

function defineKind({ group, version, definitions }: GroupVersion, entry: KindEntry): KindDefinition {
  const definition = `${definitions}.${entry.kind}`;
  return {
    group,
    version,
    kind: entry.kind,
    listKind: `${entry.kind}List`,
    plural: entry.plural,
    singular: entry.kind.toLowerCase(),
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    namespaced: entry.namespaced ?? true,
    ...(entry.deprecation !== undefined && { deprecation: entry.deprecation }),
    verbs: entry.verbs ?? ALL_VERBS,
    custom: false,
    storage: entry.storage ?? { group, plural: entry.plural, version },
    fromStorage: entry.fromStorage,
    toStorage: entry.toStorage,
    get schema() {
      return schemaOf(definition);
    },
    get empty() {
      return zeroStruct(definition);
    },
    subresources: { status: entry.status ?? false, scale: entry.scale, other: entry.other ?? [] },
    selectableFields: entry.selectableFields ?? {},
    strategy: strategyOf(definition, entry.status ?? false, entry.rules ?? {}),
  };
}
