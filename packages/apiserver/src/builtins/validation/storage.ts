/** PersistentVolumeClaim, PersistentVolume and StorageClass. */
import { deepEqual, parseQuantity, validateLabelKey, validateQualifiedName } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkAccessModes, checkClaimSpec, checkPositive, VOLUME_MODES } from './claim.ts';
import { checkOneOf, checkSubdomain, checkText, type Errors, IMMUTABLE, sortedMap } from './fields.ts';
import { checkNodeSelector } from './selector.ts';
import { checkHostPath } from './volume.ts';

export function validateClaim(claim: Draft): Errors {
  const errors: Errors = [];
  checkClaimSpec(errors, 'spec', claim['spec'] ?? {});
  return errors;
}

const CLAIM_FIXED =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export function validateClaimUpdate(claim: Draft, old: Stored): Errors {
  const errors: Errors = [];
  const spec = claim['spec'] as Tree;
  const before = old['spec'] as Tree;
  const isBound = old['status']?.phase === 'Bound';
  if (!deepEqual(fixedClaim(spec, before, isBound), before)) errors.push(forbiddenValue('spec', CLAIM_FIXED));
  const size = spec['resources']?.requests?.storage as string | undefined;
  const sizeBefore = before['resources']?.requests?.storage as string | undefined;
  if (size !== undefined && sizeBefore !== undefined) {
    if (parseQuantity(size).nanos < parseQuantity(sizeBefore).nanos) {
      const why = 'field can not be less than status.capacity';
      errors.push(forbiddenValue('spec.resources.requests.storage', why));
    }
  }
  if (spec['volumeMode'] !== before['volumeMode'])
    errors.push(invalidValue('volumeMode', spec['volumeMode'], IMMUTABLE));
  return errors;
}

/** The new spec as it would be had nothing changed that may: a volume is found, a class given, a bound claim grows. */
function fixedClaim(spec: Tree, before: Tree, isBound: boolean): Tree {
  const fixed = { ...spec };
  if (before['volumeName'] === undefined) delete fixed['volumeName'];
  if (before['storageClassName'] === undefined) delete fixed['storageClassName'];
  if (isBound) {
    fixed['resources'] = before['resources'];
    if (before['volumeAttributesClassName'] === undefined) delete fixed['volumeAttributesClassName'];
    else fixed['volumeAttributesClassName'] = before['volumeAttributesClassName'];
  }
  return fixed;
}

/** All that is in the spec of a volume beside its source. */
const NO_SOURCES = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

const sourcesOf = (spec: Tree): string[] => Object.keys(spec).filter(field => !NO_SOURCES.has(field));

export function validateVolume(volume: Draft): Errors {
  const errors: Errors = [];
  const spec = (volume['spec'] ?? {}) as Tree;
  checkAccessModes(errors, 'spec.accessModes', spec['accessModes'], '');
  checkCapacity(errors, spec['capacity']);
  checkOneOf(errors, 'spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], [
    'Delete',
    'Recycle',
    'Retain',
  ]);
  if (spec['nodeAffinity']?.required)
    checkNodeSelector(errors, 'spec.nodeAffinity.required', spec['nodeAffinity'].required);
  const attributes = spec['volumeAttributesClassName'] as string | undefined;
  if (attributes) {
    checkSubdomain(errors, 'spec.volumeAttributesClassName', attributes);
    if (!spec['csi'])
      errors.push(requiredValue('spec.csi', 'has to be specified when using volumeAttributesClassName'));
  }
  if (spec['nodeAffinity'] && !spec['nodeAffinity'].required) {
    errors.push(requiredValue('spec.nodeAffinity.required', 'must specify required node constraints'));
  }
  const [first, ...more] = sourcesOf(spec);
  if (first === undefined) errors.push(requiredValue('spec', 'must specify a volume type'));
  if (first === 'hostPath') checkHostPath(errors, 'spec.hostPath', spec['hostPath']);
  for (const source of more) errors.push(forbiddenValue(`spec.${source}`, 'may not specify more than 1 volume type'));
  if (spec['storageClassName']) checkSubdomain(errors, 'spec.storageClassName', spec['storageClassName']);
  checkOneOf(errors, 'spec.volumeMode', spec['volumeMode'], VOLUME_MODES);
  return errors;
}

function checkCapacity(errors: Errors, capacity: Readonly<Record<string, string>> | undefined): void {
  if (Object.keys(capacity ?? {}).length === 0) errors.push(requiredValue('spec.capacity'));
  const names = Object.keys(capacity ?? {});
  if (names.length !== 1 || names[0] !== 'storage') {
    errors.push(unsupportedValue('spec.capacity', sortedMap(capacity), ['storage']));
  }
  for (const [name, amount] of Object.entries(capacity ?? {})) checkPositive(errors, `spec.capacity[${name}]`, amount);
}

export function validateVolumeUpdate(volume: Draft, old: Stored): Errors {
  const spec = volume['spec'] as Tree;
  const before = old['spec'] as Tree;
  const sources = new Set([...sourcesOf(spec), ...sourcesOf(before)]);
  const errors: Errors = [];
  if ([...sources].some(source => !deepEqual(spec[source], before[source]))) {
    const path = 'spec.persistentvolumesource';
    errors.push(forbiddenValue(path, `${path} is immutable after creation`));
  }
  if (spec['volumeMode'] !== before['volumeMode'])
    errors.push(invalidValue('spec.volumeMode', spec['volumeMode'], IMMUTABLE));
  return errors;
}

export function validateStorageClass(storageClass: Draft): Errors {
  const errors: Errors = [];
  const provisioner = (storageClass['provisioner'] ?? '') as string;
  if (provisioner === '') errors.push(requiredValue('provisioner'));
  else checkText(errors, 'provisioner', provisioner.toLowerCase(), validateQualifiedName);
  if (Object.hasOwn(storageClass['parameters'] ?? {}, '')) {
    errors.push(invalidValue('parameters', '', 'field can not be empty.'));
  }
  if (storageClass['reclaimPolicy'] !== '') {
    checkOneOf(errors, 'reclaimPolicy', storageClass['reclaimPolicy'], ['Delete', 'Retain']);
  }
  checkTopologies(errors, listOf(storageClass, 'allowedTopologies'));
  checkOneOf(errors, 'volumeBindingMode', storageClass['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']);
  return errors;
}

/** Where volumes may be made: terms of labels and their values, each key once a term. */
function checkTopologies(errors: Errors, terms: readonly Tree[]): void {
  for (const [index, term] of terms.entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const keys = new Set<string>();
    for (const [expressionIndex, { key = '', values }] of listOf(term, 'matchLabelExpressions').entries()) {
      const at = `${path}[${expressionIndex}]`;
      if (((values ?? []) as string[]).length === 0) errors.push(requiredValue(`${at}.values`));
      checkText(errors, `${at}.key`, key, validateLabelKey);
      if (keys.has(key)) errors.push(duplicateValue(`${at}.key`, key));
      keys.add(key);
    }
  }
}

/** Volumes that exist were made by these; whether they may grow is for later ones to say. */
export function validateStorageClassUpdate(storageClass: Draft, old: Stored): Errors {
  const errors: Errors = [];
  for (const field of ['provisioner', 'reclaimPolicy', 'volumeBindingMode', 'parameters']) {
    if (!deepEqual(storageClass[field], old[field])) errors.push(invalidValue(field, null, IMMUTABLE));
  }
  return errors;
}
