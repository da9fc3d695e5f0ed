import { validatePathSegment } from './names.ts';
import type { KubeObject } from './object.ts';

/** Names one kind of object and where it lives in the API. `T` is the static type of its objects. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Ask the server for the metadata alone; see `metadataOnly`. */
  readonly metadataOnly?: boolean;
  /** Never set: it carries `T` through the type checker. */
  readonly objectType?: T;
}

/**
 * Describes a kind to the client.
 *
 * @example
 * const deployments = resource<Deployment>({ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true });
 */
export function resource<T extends KubeObject = KubeObject>(description: Omit<Resource<T>, 'objectType'>): Resource<T> {
  return Object.freeze({ ...description });
}

/**
 * The same kind, but reads give `apiVersion`, `kind` and `metadata` only: a fraction of the bytes and of the memory, for
 * whoever needs no more than labels, owners or versions.
 */
export function metadataOnly(resource: Resource): Resource {
  const { group, version, kind, plural, namespaced } = resource;
  return Object.freeze({ group, version, kind, plural, namespaced, metadataOnly: true });
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

export interface PathParts {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The URL path of a collection, an object or a subresource: `/apis/apps/v1/namespaces/default/deployments/web/status`. */
export function resourcePath(resource: Resource, { namespace, name, subresource }: PathParts = {}): string {
  let path = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  if (resource.namespaced && namespace !== undefined) path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${resource.plural}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}

/**
 * The path of something that lives in a namespace if its kind does: to leave it out would address all namespaces at once.
 * Names that would lead elsewhere are refused with a `TypeError`.
 */
export function objectPath(resource: Resource, parts: PathParts): string {
  if (resource.namespaced && !parts.namespace) {
    throw new TypeError(
      `${resource.kind} lives in a namespace, and none is given${parts.name ? ` for ${parts.name}` : ''}`,
    );
  }
  if (parts.name === '') throw new TypeError(`the name of the ${resource.kind} is empty`);
  checkSegment(parts.namespace);
  checkSegment(parts.name);
  return resourcePath(resource, parts);
}

/** The path of all objects of a kind, in one namespace or in all (none given, or the empty one). */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  checkSegment(namespace);
  return resourcePath(resource, { namespace: namespace || undefined });
}

function checkSegment(segment: string | undefined): void {
  const problems = validatePathSegment(segment ?? '');
  if (problems.length > 0) throw new TypeError(`invalid name ${JSON.stringify(segment)}: ${problems.join(', ')}`);
}
