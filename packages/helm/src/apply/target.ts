/** An object together with where it lives on the server. */
import type { DynamicObject, KubeObject, ObjectReference, Resource } from '@capstan/kube';
import { apiVersionOf, type Discovery } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import type { ManifestObject } from './manifest.ts';

export interface Target {
  readonly resource: Resource<DynamicObject>;
  readonly object: DynamicObject;
  readonly source: string;
}

/** Which kinds there are: the server's, and those that the chart's own definitions are about to add. */
export interface Kinds {
  find(apiVersion: string, kind: string): Promise<Resource<DynamicObject> | undefined>;
}

export function kindsOf(discovery: Discovery, definitions: readonly Resource[] = []): Kinds {
  return {
    async find(apiVersion, kind) {
      const own = definitions.find(each => each.kind === kind && apiVersionOf(each) === apiVersion);
      return (own ?? (await discovery.forKind(apiVersion, kind))) as Resource<DynamicObject> | undefined;
    },
  };
}

/**
 * Finds the kind of each object and gives it the release's namespace where it names none.
 *
 * @param unknown what to do about kinds that the server does not have: what was installed once may be of a kind that is gone
 */
export async function resolveTargets(
  kinds: Kinds,
  objects: readonly ManifestObject[],
  namespace: string,
  unknown: 'refuse' | 'skip' = 'refuse',
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const { object, source } of objects) {
    const resource = await kinds.find(object.apiVersion, object.kind);
    if (resource) {
      targets.push({ resource, object: placed(object, resource, namespace), source });
      continue;
    }
    if (unknown === 'skip') continue;
    throw new ReleaseError(
      'UnknownKind',
      `${source || 'the manifest'}: the cluster has no kind ${object.kind} in ${object.apiVersion}: ` +
        'install the definition first, or check the version',
    );
  }
  return targets;
}

function placed(object: DynamicObject, resource: Resource, namespace: string): DynamicObject {
  const { namespace: own, ...metadata } = object.metadata ?? {};
  const place = resource.namespaced ? { namespace: own || namespace } : {};
  return { ...object, metadata: { ...metadata, ...place } as DynamicObject['metadata'] };
}

/** What makes two objects the same one, whichever version of its API each names. */
export function targetKey({ resource, object }: Target): string {
  return `${resource.group}/${resource.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

export function placeOf({ metadata }: KubeObject): ObjectReference {
  return { name: metadata.name, namespace: metadata.namespace };
}

/** `Deployment default/web`. */
export function describe({ kind, metadata }: KubeObject): string {
  const name = metadata.name ?? `${metadata.generateName}…`;
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${name}`;
}

/** Objects that the server names cannot be found again: they are made once for each revision, as by Helm. */
export function isGenerated({ object }: Target): boolean {
  return !object.metadata.name && Boolean(object.metadata.generateName);
}

/** Those of `left` that are not among `right`. */
export function difference(left: readonly Target[], right: readonly Target[]): Target[] {
  const keys = new Set(right.map(targetKey));
  const seen = new Set<string>();
  return left.filter(target => {
    const key = targetKey(target);
    if (keys.has(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
