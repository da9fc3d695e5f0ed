/** The resources by group and version, in the order in which Kubernetes shows groups. */
import type { KindDefinition } from '../kind.ts';
import { newestFirst } from '../version-order.ts';
import { type ApiResource, apiResources } from './api-resource.ts';

export interface ApiVersion {
  readonly name: string;
  readonly resources: readonly ApiResource[];
}

export interface ApiGroup {
  /** '' for the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly ApiVersion[];
}

/** Groups of Kubernetes come first, in this order; kubectl takes the first that has what a short name names. */
const ORDER = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
];

export function apiGroups(kinds: Iterable<KindDefinition>): ApiGroup[] {
  const groups = new Map<string, Map<string, ApiResource[]>>();
  for (const resource of apiResources(kinds)) {
    const versions = groups.get(resource.group) ?? new Map<string, ApiResource[]>();
    groups.set(resource.group, versions);
    versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]);
  }
  return [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .sort(([a], [b]) => newestFirst(a, b))
        .map(([version, resources]) => ({ name: version, resources })),
    }));
}

function rank(group: string): number {
  const place = ORDER.indexOf(group);
  return place < 0 ? ORDER.length : place;
}
