/**
 * Three-way merge, for releases that are written client-side as Helm 3 writes them: what the new manifest says is set, what the
 * former one said and the new one does not is removed, and what others added stays.
 */
import { deepEqual } from '@capstan/kube';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Which field tells the items of a list apart, by the list's name and (where one name means several things) its parent. It is what
 * Kubernetes declares for its built-in kinds as `patchMergeKey`. Lists that are not here are replaced whole.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  ownerReferences: 'uid',
  secrets: 'name',
  conditions: 'type',
  webhooks: 'name',
};

function mergeKey(name: string, parent: string): string | undefined {
  // `ports` of a container and of a Service.
  if (name === 'ports') return parent === 'spec' ? 'port' : 'containerPort';
  return MERGE_KEYS[name];
}

/** @param former what was written last time; `undefined` if nothing was. */
export function threeWayMerge(former: Fields | undefined, wanted: Fields, live: Fields): Fields {
  return mergeFields(former ?? {}, wanted, live, '');
}

function mergeFields(former: Fields, wanted: Fields, live: Fields, name: string): Fields {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(live)) {
    const removed = isSet(former[key]) && !isSet(wanted[key]);
    if (!removed) result[key] = value;
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = mergeValue(former[key], value, live[key], key, name);
  }
  // Fields of one kind of volume or strategy exclude those of another: the server refuses to have both.
  return name === 'strategy' || name === 'updateStrategy' ? withoutOtherStrategy(result, wanted) : result;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function mergeValue(former: unknown, wanted: unknown, live: unknown, name: string, parent: string): unknown {
  if (isFields(wanted) && isFields(live)) return mergeFields(isFields(former) ? former : {}, wanted, live, name);
  if (!Array.isArray(wanted) || !Array.isArray(live)) return wanted;
  const before = Array.isArray(former) ? former : [];
  if (name === 'finalizers') {
    return [...new Set([...live.filter(item => !before.includes(item) || wanted.includes(item)), ...wanted])];
  }
  const key = mergeKey(name, parent);
  return key === undefined ? wanted : mergeItems(before, wanted, live, key, name);
}

/** Items keep the order of the manifest; those that others added come after them. */
function mergeItems(
  former: readonly unknown[],
  wanted: readonly unknown[],
  live: readonly unknown[],
  key: string,
  name: string,
): unknown[] {
  if (![...former, ...wanted, ...live].every(item => isFields(item) && isSet(item[key]))) return [...wanted];
  const find = (items: readonly unknown[], id: unknown) =>
    items.find(item => (item as Fields)[key] === id) as Fields | undefined;
  const merged = wanted.map(item => {
    const id = (item as Fields)[key];
    const there = find(live, id);
    return there ? mergeItem(find(former, id) ?? {}, item as Fields, there, name) : item;
  });
  const others = live.filter(item => {
    const id = (item as Fields)[key];
    return find(wanted, id) === undefined && find(former, id) === undefined;
  });
  return [...merged, ...others];
}

function mergeItem(former: Fields, wanted: Fields, live: Fields, name: string): Fields {
  // A volume has one source: the new one replaces the old one instead of standing beside it.
  if (name === 'volumes' && !Object.keys(wanted).every(key => isSet(live[key]))) return wanted;
  return mergeFields(former, wanted, live, name);
}

function withoutOtherStrategy(result: Record<string, unknown>, wanted: Fields): Fields {
  if (wanted['type'] === undefined || wanted['type'] === 'RollingUpdate') return result;
  const { rollingUpdate: _, ...rest } = result;
  return rest;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The merge patch (RFC 7386) from the former manifest to the new one: how Helm 3 writes kinds that are not built in. Changes of
 * others to fields that the two manifests agree on stay.
 */
export function mergePatch(former: Fields, wanted: Fields): Fields {
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(former)) if (!Object.hasOwn(wanted, key)) patch[key] = null;
  for (const [key, value] of Object.entries(wanted)) {
    const before = former[key];
    if (deepEqual(before, value)) continue;
    patch[key] = isFields(before) && isFields(value) ? mergePatch(before, value) : value;
  }
  return patch;
}
