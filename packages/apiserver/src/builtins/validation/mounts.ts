/** Where a container sees the volumes of its Pod. */
import { forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkOneOf, type Errors } from './fields.ts';

/** The volumes of a Pod by name. */
export type Volumes = ReadonlyMap<string, Tree>;

export function checkMounts(errors: Errors, at: string, container: Tree, volumes: Volumes): void {
  const path = `${at}.volumeMounts`;
  const seen = new Set<string>();
  for (const [index, mount] of listOf(container, 'volumeMounts').entries()) {
    const here = `${path}[${index}]`;
    const { name = '', mountPath = '' } = mount;
    if (name === '') errors.push(requiredValue(`${here}.name`));
    if (!volumes.has(name)) {
      errors.push({ type: 'FieldValueNotFound', field: `${here}.name`, badValue: name, detail: '' });
    }
    if (mountPath === '') errors.push(requiredValue(`${here}.mountPath`));
    if (seen.has(mountPath)) errors.push(invalidValue(`${here}.mountPath`, mountPath, 'must be unique'));
    seen.add(mountPath);
    checkSubPaths(errors, path, here, mount);
    checkPropagation(errors, path, mount, container);
  }
  checkDevices(errors, at, container, volumes, seen);
}

function checkSubPaths(errors: Errors, path: string, here: string, mount: Tree): void {
  if (mount['subPath']) checkDescending(errors, `${path}.subPath`, mount['subPath']);
  if (!mount['subPathExpr']) return;
  if (mount['subPath']) {
    errors.push(
      invalidValue(`${here}.subPathExpr`, mount['subPathExpr'], 'subPathExpr and subPath are mutually exclusive'),
    );
  }
  checkDescending(errors, `${path}.subPathExpr`, mount['subPathExpr']);
}

function checkPropagation(errors: Errors, path: string, mount: Tree, container: Tree): void {
  const at = `${path}.mountPropagation`;
  const propagation = mount['mountPropagation'] as string | undefined;
  checkOneOf(errors, at, propagation, ['Bidirectional', 'HostToContainer', 'None']);
  if (propagation === 'Bidirectional' && container['securityContext']?.privileged !== true) {
    errors.push(forbiddenValue(at, 'Bidirectional mount propagation is available only to privileged containers'));
  }
}

function checkDevices(errors: Errors, at: string, container: Tree, volumes: Volumes, mountPaths: Set<string>): void {
  const devicePaths = new Set<string>();
  for (const [index, device] of listOf(container, 'volumeDevices').entries()) {
    const here = `${at}.volumeDevices[${index}]`;
    const { name = '', devicePath = '' } = device;
    const volume = volumes.get(name);
    if (name === '') errors.push(requiredValue(`${here}.name`));
    if (volume === undefined) {
      errors.push({ type: 'FieldValueNotFound', field: `${here}.name`, badValue: name, detail: '' });
    } else if (volume['persistentVolumeClaim'] === undefined && volume['ephemeral'] === undefined) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalidValue(`${here}.name`, name, why));
    }
    if (devicePath === '') errors.push(requiredValue(`${here}.devicePath`));
    if (devicePaths.has(devicePath)) errors.push(invalidValue(`${here}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.includes('..')) {
      errors.push(invalidValue(`${here}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    }
    devicePaths.add(devicePath);
    if (mountPaths.has(devicePath)) {
      errors.push(invalidValue(`${here}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    }
  }
}

/** A path inside a volume: relative, and never upwards. */
export function checkDescending(errors: Errors, path: string, value: string): void {
  if (value.startsWith('/')) errors.push(invalidValue(path, value, 'must be a relative path'));
  checkNoBacksteps(errors, path, value);
}

export function checkNoBacksteps(errors: Errors, path: string, value: string): void {
  if (value.split('/').includes('..')) errors.push(invalidValue(path, value, "must not contain '..'"));
}
