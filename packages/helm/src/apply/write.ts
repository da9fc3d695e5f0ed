/** Writing one object of a release, in one of the two ways of Helm; and removing one. */
import {
  type Client,
  type DynamicObject,
  deepEqual,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeObject,
} from '@capstan/kube';
import { messageOf, ReleaseError } from '../release/errors.ts';
import { FIELD_MANAGER, migrateFieldManagers } from './field-managers.ts';
import { readLive } from './ownership.ts';
import { describe, isGenerated, placeOf, type Target } from './target.ts';
import { mergePatch, threeWayMerge } from './three-way.ts';

export interface WriteOptions {
  readonly method: 'ssa' | 'csa';
  /** Take fields that another owner holds with another value; server-side only. */
  readonly forceConflicts?: boolean | undefined;
  /** Replace objects as a whole instead of changing them: what others set on them is lost. */
  readonly forceReplace?: boolean | undefined;
  /** The objects were last written client-side: their owner has to be turned first. */
  readonly migrate?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @param former the object as the release had it before; undefined if it is new to the release */
export async function writeTarget(
  client: Client,
  target: Target,
  former: DynamicObject | undefined,
  options: WriteOptions,
): Promise<DynamicObject> {
  try {
    if (isGenerated(target)) return await create(client, target, options);
    if (options.forceReplace) return await replace(client, target, options);
    return options.method === 'ssa'
      ? await applyServerSide(client, target, options)
      : await writeClientSide(client, target, former, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ReleaseError('ApplyFailed', `${describe(target.object)}: ${messageOf(error)}`, { cause: error });
  }
}

function create(client: Client, { resource, object }: Target, options: WriteOptions): Promise<DynamicObject> {
  return client.create(resource, object, { owner: FIELD_MANAGER, dryRun: options.dryRun, signal: options.signal });
}

async function applyServerSide(client: Client, target: Target, options: WriteOptions): Promise<DynamicObject> {
  const { resource, object } = target;
  if (options.migrate && !options.dryRun) {
    const live = await readLive(client, target);
    if (live) await migrateFieldManagers(client, resource, live);
  }
  return client.apply(resource, object, {
    owner: FIELD_MANAGER,
    force: options.forceConflicts,
    dryRun: options.dryRun,
    fieldValidation: 'Strict',
    signal: options.signal,
  });
}

/** How often an object that others write at the same moment is merged anew. */
const ATTEMPTS = 5;

async function writeClientSide(
  client: Client,
  target: Target,
  former: DynamicObject | undefined,
  options: WriteOptions,
): Promise<DynamicObject> {
  for (let attempt = 1; ; attempt++) {
    const live = await readLive(client, target);
    try {
      return live ? await merge(client, target, former, live, options) : await create(client, target, options);
    } catch (error) {
      const changed = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
      if (!changed || attempt === ATTEMPTS) throw error;
    }
  }
}

async function merge(
  client: Client,
  { resource, object }: Target,
  former: DynamicObject | undefined,
  live: DynamicObject,
  options: WriteOptions,
): Promise<DynamicObject> {
  const settings = { owner: FIELD_MANAGER, dryRun: options.dryRun, signal: options.signal };
  if (!isBuiltIn(resource.group)) {
    const patch = mergePatch(former ?? live, object);
    if (Object.keys(patch).length === 0) return live;
    return client.patch(resource, placeOf(object), { merge: patch }, settings);
  }
  const { apiVersion, kind } = object;
  const merged = { ...threeWayMerge(former, object, live), apiVersion, kind } as DynamicObject;
  if (deepEqual(merged, { ...live, apiVersion, kind })) return live;
  return client.update(resource, merged, settings);
}

/** The groups whose lists Kubernetes merges by key; kinds of others are patched as Helm 3 patches them. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || (group.endsWith('.k8s.io') && group !== 'apiextensions.k8s.io');
}

async function replace(client: Client, target: Target, options: WriteOptions): Promise<DynamicObject> {
  const { resource, object } = target;
  const settings = { owner: FIELD_MANAGER, dryRun: options.dryRun, signal: options.signal };
  const live = await readLive(client, target);
  if (!live) return create(client, target, options);
  const { resourceVersion } = live.metadata;
  return client.update(resource, { ...object, metadata: { ...object.metadata, resourceVersion } } as never, settings);
}

/** Removes an object, if it is still the very one that was looked at; one made anew by someone since is not ours to remove. */
export async function removeObject(
  client: Client,
  target: Target,
  live: KubeObject,
  propagation: 'Background' | 'Foreground' | 'Orphan',
): Promise<void> {
  const { resource, object } = target;
  const { uid } = live.metadata;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.delete(resource, placeOf(object), { propagation, preconditions: { uid } });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      const now = await readLive(client, target);
      if (now?.metadata.uid !== uid) return;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
