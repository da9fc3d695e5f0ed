/** What the API server says about itself, in its two forms: one document for all, or one a group and version. */
import type { Resource } from '../resource.ts';

/** A kind that the server has, with what can be done to it. */
export interface DiscoveredResource extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** `status`, `scale`, `log`, … */
  readonly subresources: readonly string[];
}

/** APIGroupDiscoveryList, `apidiscovery.k8s.io/v2` or `v2beta1`. */
export interface AggregatedDiscovery {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
        readonly scope?: 'Namespaced' | 'Cluster';
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly verbs?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

export function fromAggregated({ items }: AggregatedDiscovery): DiscoveredResource[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources
        // Kinds that exist only through a subresource have no kind of their own.
        .filter(each => Boolean(each.responseKind?.kind))
        .map(each => ({
          group: metadata?.name ?? '',
          version,
          kind: each.responseKind!.kind!,
          plural: each.resource,
          namespaced: each.scope === 'Namespaced',
          singular: each.singularResource ?? '',
          shortNames: each.shortNames ?? [],
          categories: each.categories ?? [],
          verbs: each.verbs ?? [],
          subresources: (each.subresources ?? []).map(({ subresource }) => subresource),
        })),
    ),
  );
}

/** APIResourceList: subresources stand beside their resources, as `deployments/scale`. */
export interface PlainResources {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
}

export function fromPlain(group: string, version: string, { resources = [] }: PlainResources): DiscoveredResource[] {
  const subresources = Map.groupBy(
    resources.filter(({ name }) => name.includes('/')).map(({ name }) => name.split('/') as [string, string]),
    ([plural]) => plural,
  );
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(each => ({
      group,
      version,
      kind: each.kind,
      plural: each.name,
      namespaced: each.namespaced,
      singular: each.singularName ?? '',
      shortNames: each.shortNames ?? [],
      categories: each.categories ?? [],
      verbs: each.verbs ?? [],
      subresources: (subresources.get(each.name) ?? []).map(([, name]) => name),
    }));
}
