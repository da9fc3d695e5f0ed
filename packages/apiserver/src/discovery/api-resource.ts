/** A resource as the API speaks of it: stored kinds, and those that are only questions. */
import { type VirtualKind, virtualKinds } from '../builtins/index.ts';
import type { KindDefinition } from '../kind.ts';
import { type Subresource, subresourcesOf } from './subresources.ts';

export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Where objects of it are stored. */
  readonly definition?: KindDefinition;
}

/** Of all groups, each group's by plural name; those of a custom resource definition stay in its order. */
export function apiResources(kinds: Iterable<KindDefinition>): ApiResource[] {
  const stored = [...kinds].map(ofKind);
  const builtin = [...stored.filter(one => !one.definition!.custom), ...virtualKinds.map(ofVirtualKind)];
  builtin.sort((a, b) => (a.plural < b.plural ? -1 : 1));
  return [...builtin, ...stored.filter(one => one.definition!.custom)];
}

function ofKind(definition: KindDefinition): ApiResource {
  const { group, version, kind, plural, singular, shortNames, categories, namespaced, verbs } = definition;
  const subresources = subresourcesOf(definition);
  return {
    group,
    version,
    kind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced,
    verbs,
    subresources,
    definition,
  };
}

function ofVirtualKind(virtual: VirtualKind): ApiResource {
  return { ...virtual, singular: virtual.kind.toLowerCase(), shortNames: [], categories: [], subresources: [] };
}
