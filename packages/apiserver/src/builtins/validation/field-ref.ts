/** References from a Pod to its own fields (the downward API). */
import { validateAnnotationKey, validateLabelKey } from '@capstan/kube';
import { invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Tree } from '../tree.ts';
import type { Errors } from './fields.ts';

/** All that a path may name; which of them is allowed depends on who asks. */
const KNOWN = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'spec.hostNetwork',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

const WITH_KEY = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

/** `keyed` are the maps of which one entry may be named; with `needsKey` the whole map may not. */
export function checkFieldRef(
  errors: Errors,
  path: string,
  reference: Tree,
  allowed: ReadonlySet<string>,
  keyed: readonly string[],
  needsKey: boolean,
): void {
  if (!reference['apiVersion']) errors.push(requiredValue(`${path}.apiVersion`));
  const fieldPath = (reference['fieldPath'] ?? '') as string;
  const at = `${path}.fieldPath`;
  if (fieldPath === '') {
    errors.push(requiredValue(at));
    return;
  }
  const [, map, key] = WITH_KEY.exec(fieldPath) ?? [];
  if (map !== undefined && keyed.includes(map)) {
    const check = map === 'metadata.labels' ? validateLabelKey : validateAnnotationKey;
    for (const problem of check(key!)) errors.push(invalidValue(at, key, problem));
    return;
  }
  if (!KNOWN.has(fieldPath)) {
    errors.push(invalidValue(at, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`));
  } else if (!allowed.has(fieldPath) && (needsKey || !keyed.includes(fieldPath))) {
    errors.push(unsupportedValue(at, fieldPath, [...allowed].sort()));
  }
}

const CONTAINER_RESOURCES = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.+)$/;
const SUPPORTED_RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

export function checkResourceFieldRef(errors: Errors, path: string, reference: Tree, needsContainer: boolean): void {
  if (needsContainer && !reference['containerName']) errors.push(requiredValue(`${path}.containerName`));
  const resource = (reference['resource'] ?? '') as string;
  if (resource === '') errors.push(requiredValue(`${path}.resource`));
  else if (!CONTAINER_RESOURCES.test(resource)) {
    errors.push(unsupportedValue(`${path}.resource`, resource, SUPPORTED_RESOURCES));
  }
}
