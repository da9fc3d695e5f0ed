/** Discovery as it always was: one request for the groups, one for each version of each. */
import { apiVersionOf } from '@capstan/kube';
import type { ApiResource } from './api-resource.ts';
import type { ApiGroup, ApiVersion } from './groups.ts';
import type { Subresource } from './subresources.ts';

export const apiVersions = (core: ApiGroup): object => ({
  kind: 'APIVersions',
  versions: core.versions.map(version => version.name),
  serverAddressByClientCIDRs: [],
});

export const apiGroupList = (groups: readonly ApiGroup[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.filter(group => group.name !== '').map(describeGroup),
});

export const apiGroup = (group: ApiGroup): object => ({ kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) });

function describeGroup({ name, versions }: ApiGroup): object {
  const described = versions.map(version => ({ groupVersion: `${name}/${version.name}`, version: version.name }));
  return { name, versions: described, preferredVersion: described[0] };
}

export function apiResourceList(group: string, { name, resources }: ApiVersion): object {
  return {
    kind: 'APIResourceList',
    // The core group is older than this field.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version: name }),
    resources: group === '' || resources.every(one => !one.definition?.custom) ? byName(resources) : all(resources),
  };
}

const all = (resources: readonly ApiResource[]): NamedResource[] => resources.flatMap(describeResource);

/** Built-in subresources stand with their resource by name: `pods`, `pods/log`, `podtemplates`. */
const byName = (resources: readonly ApiResource[]): NamedResource[] =>
  all(resources).sort((a, b) => (a.name < b.name ? -1 : 1));

interface NamedResource {
  readonly name: string;
}

function describeResource(resource: ApiResource): NamedResource[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, subresources } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
  return [main, ...subresources.map(one => describeSubresource(resource, one))];
}

function describeSubresource(resource: ApiResource, { name, verbs, kind }: Subresource): NamedResource {
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(kind?.group && { group: kind.group }),
    ...(kind?.version && { version: kind.version }),
    kind: kind?.kind ?? resource.kind,
    verbs,
  } as NamedResource;
}
