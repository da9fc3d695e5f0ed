/** What a PersistentVolumeClaim asks for, in an object of its own or in a template. */
import { compareQuantities } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Tree } from '../tree.ts';
import { checkOneOf, checkSubdomain, type Errors } from './fields.ts';
import { checkLabelSelector } from './selector.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

export function checkClaimSpec(errors: Errors, path: string, spec: Tree): void {
  checkAccessModes(errors, `${path}.accessModes`, spec['accessModes'], 'at least 1 access mode is required');
  if (spec['selector']) checkLabelSelector(errors, `${path}.selector`, spec['selector']);
  const storage = spec['resources']?.requests?.storage as string | undefined;
  const storagePath = `${path}.resources[storage]`;
  if (storage === undefined) errors.push(requiredValue(storagePath));
  else checkPositive(errors, storagePath, storage);
  if (spec['storageClassName']) checkSubdomain(errors, `${path}.storageClassName`, spec['storageClassName']);
  checkOneOf(errors, `${path}.volumeMode`, spec['volumeMode'], VOLUME_MODES);
  const attributes = spec['volumeAttributesClassName'] as string | undefined;
  if (attributes) checkSubdomain(errors, `${path}.volumeAttributesClassName`, attributes);
  for (const field of ['dataSource', 'dataSourceRef']) checkDataSource(errors, `${path}.${field}`, spec[field]);
}

function checkDataSource(errors: Errors, path: string, source: Tree | undefined): void {
  if (source === undefined) return;
  if (!source['name']) errors.push(requiredValue(`${path}.name`));
  if (!source['kind']) errors.push(requiredValue(`${path}.kind`));
  if (source['apiGroup']) checkSubdomain(errors, `${path}.apiGroup`, source['apiGroup']);
  if (!source['apiGroup'] && source['kind'] !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalidValue(path, source['kind'] ?? '', why));
  }
}

/** Also of PersistentVolumes, where the words of absence differ. */
export function checkAccessModes(
  errors: Errors,
  path: string,
  modes: readonly string[] | undefined,
  absent: string,
): void {
  if (modes === undefined || modes === null || modes.length === 0) {
    errors.push(requiredValue(path, absent));
    return;
  }
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) errors.push(unsupportedValue(path, mode, ACCESS_MODES));
  }
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(forbiddenValue(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

export function checkPositive(errors: Errors, path: string, amount: string): void {
  if (compareQuantities(amount, 0) <= 0) errors.push(invalidValue(path, amount, 'must be greater than zero'));
}
