/** Discovery in two requests, one for the core group and one for all others: what clients ask for first since 1.26. */
import type { ApiResource } from './api-resource.ts';
import type { ApiGroup } from './groups.ts';

/** `v2beta1` is what clients up to 1.29 know; the two differ in nothing but the name. */
export type AggregatedVersion = 'v2' | 'v2beta1';

export const aggregatedType = (version: AggregatedVersion): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** Which of the aggregated forms comes before plain JSON in the client's wishes; undefined: none. */
export function wantedVersion(accept: string | undefined): AggregatedVersion | undefined {
  for (const wish of (accept ?? '').split(',')) {
    const [type, ...parameters] = wish.split(';').map(part => part.trim());
    const given = new Map(parameters.map(parameter => parameter.split('=', 2) as [string, string]));
    if (!given.has('as')) {
      if (type === 'application/json' || type === '*/*' || type === 'application/*') return undefined;
      continue;
    }
    if (given.get('g') !== 'apidiscovery.k8s.io' || given.get('as') !== 'APIGroupDiscoveryList') continue;
    const version = given.get('v');
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}

export function groupDiscoveryList(groups: readonly ApiGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(one => ({
        version: one.name,
        resources: one.resources.map(discoverResource),
        freshness: 'Current',
      })),
    })),
  };
}

function discoverResource(resource: ApiResource): object {
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: responseKind(resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(sub => ({
        subresource: sub.name,
        responseKind: sub.kind ?? responseKind(resource),
        verbs: sub.verbs,
      })),
    }),
  };
}

/** Built-in kinds leave out the group that they are listed under. */
function responseKind({ group, version, kind, definition }: ApiResource): object {
  return definition?.custom ? { group, version, kind } : { group: '', version: '', kind };
}
