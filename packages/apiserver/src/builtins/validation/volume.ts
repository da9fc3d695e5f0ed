/** The volumes of a Pod. */
import { compareQuantities } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkClaimSpec } from './claim.ts';
import { checkFieldRef, checkResourceFieldRef } from './field-ref.ts';
import { checkLabel, checkOneOf, type Errors, requireText } from './fields.ts';
import { checkDescending, checkNoBacksteps, type Volumes } from './mounts.ts';

const MODE_PROBLEM = 'must be a number between 0 and 0777 (octal), both inclusive';
const TEN_MINUTES = 600;

/** What a file of the downward API may hold. */
const DOWNWARD_FIELDS = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]);

/** Sources in the order in which Kubernetes looks at them; the second one found is one too many. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

/** Checks them and gives those that are sound by name: the rest is as if it were not there. */
export function checkVolumes(errors: Errors, path: string, volumes: readonly Tree[]): Volumes {
  const sound = new Map<string, Tree>();
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    const found: Errors = [];
    checkSources(found, at, volume);
    if (!volume['name']) found.push(requiredValue(`${at}.name`));
    else checkLabel(found, `${at}.name`, volume['name']);
    if (sound.has(volume['name'])) found.push(duplicateValue(`${at}.name`, volume['name']));
    if (found.length === 0) sound.set(volume['name'], volume);
    errors.push(...found);
  }
  return sound;
}

function checkSources(errors: Errors, at: string, volume: Tree): void {
  let found = false;
  for (const source of SOURCES) {
    if (volume[source] === undefined) continue;
    if (found) errors.push(forbiddenValue(`${at}.${source}`, 'may not specify more than 1 volume type'));
    else checkSource(errors, `${at}.${source}`, source, volume[source]);
    found = true;
  }
  if (!found) errors.push(requiredValue(at, 'must specify a volume type'));
}

function checkSource(errors: Errors, path: string, kind: string, source: Tree): void {
  switch (kind) {
    case 'emptyDir':
      if (source['sizeLimit'] !== undefined && compareQuantities(source['sizeLimit'], 0) < 0) {
        errors.push(forbiddenValue(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
      }
      return;
    case 'hostPath':
      checkHostPath(errors, path, source);
      return;
    case 'secret':
      requireText(errors, `${path}.secretName`, source['secretName']);
      checkFiles(errors, path, source);
      return;
    case 'configMap':
      requireText(errors, `${path}.name`, source['name']);
      checkFiles(errors, path, source);
      return;
    case 'persistentVolumeClaim':
      requireText(errors, `${path}.claimName`, source['claimName']);
      return;
    case 'nfs':
      requireText(errors, `${path}.server`, source['server']);
      requireText(errors, `${path}.path`, source['path']);
      if (source['path'] && !source['path'].startsWith('/')) {
        errors.push(invalidValue(`${path}.path`, source['path'], 'must be an absolute path'));
      }
      return;
    case 'downwardAPI':
      checkMode(errors, `${path}.defaultMode`, source['defaultMode']);
      for (const item of listOf(source, 'items')) checkDownwardFile(errors, path, item);
      return;
    case 'projected':
      checkMode(errors, `${path}.defaultMode`, source['defaultMode']);
      checkProjection(errors, path, source);
      return;
    case 'csi':
      requireText(errors, `${path}.driver`, source['driver']);
      return;
    case 'image':
      requireText(errors, `${path}.reference`, source['reference']);
      checkOneOf(errors, `${path}.pullPolicy`, source['pullPolicy'], ['Always', 'IfNotPresent', 'Never']);
      return;
    case 'ephemeral':
      if (source['volumeClaimTemplate'] === undefined) errors.push(requiredValue(`${path}.volumeClaimTemplate`));
      else checkClaimSpec(errors, `${path}.volumeClaimTemplate.spec`, source['volumeClaimTemplate'].spec ?? {});
  }
}

const HOST_PATH_TYPES = [
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Also of PersistentVolumes. */
export function checkHostPath(errors: Errors, path: string, source: Tree): void {
  if (!source['path']) errors.push(requiredValue(`${path}.path`));
  else {
    checkNoBacksteps(errors, `${path}.path`, source['path']);
    if (source['type']) checkOneOf(errors, `${path}.type`, source['type'], ['', ...HOST_PATH_TYPES]);
  }
}

function checkFiles(errors: Errors, path: string, source: Tree): void {
  checkMode(errors, `${path}.defaultMode`, source['defaultMode']);
  for (const [index, item] of listOf(source, 'items').entries())
    checkKeyToPath(errors, `${path}.items[${index}]`, item);
}

function checkKeyToPath(errors: Errors, at: string, item: Tree): void {
  if (!item['key']) errors.push(requiredValue(`${at}.key`));
  if (!item['path']) errors.push(requiredValue(`${at}.path`));
  else checkFilePath(errors, `${at}.path`, item['path']);
  checkMode(errors, `${at}.mode`, item['mode']);
}

/** Relative, and not among the names that atomic updates of a volume need for themselves. */
function checkFilePath(errors: Errors, path: string, value: string): void {
  checkDescending(errors, path, value);
  if (value.startsWith('..') && !value.startsWith('../')) {
    errors.push(invalidValue(path, value, "must not start with '..'"));
  }
}

function checkMode(errors: Errors, path: string, mode: number | undefined): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) errors.push(invalidValue(path, mode, MODE_PROBLEM));
}

function checkDownwardFile(errors: Errors, path: string, file: Tree): void {
  if (!file['path']) errors.push(requiredValue(`${path}.path`));
  else checkFilePath(errors, `${path}.path`, file['path']);
  if (file['fieldRef']) {
    checkFieldRef(
      errors,
      `${path}.fieldRef`,
      file['fieldRef'],
      DOWNWARD_FIELDS,
      ['metadata.labels', 'metadata.annotations'],
      false,
    );
    if (file['resourceFieldRef']) {
      errors.push(invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (file['resourceFieldRef'])
    checkResourceFieldRef(errors, `${path}.resourceFieldRef`, file['resourceFieldRef'], true);
  else errors.push(requiredValue(path, 'one of fieldRef and resourceFieldRef is required'));
  checkMode(errors, `${path}.mode`, file['mode']);
}

function checkProjection(errors: Errors, path: string, projection: Tree): void {
  const paths = new Set<string>();
  const claim = (file: string, named: string): void => {
    if (paths.has(file)) errors.push(invalidValue(path, named, 'conflicting duplicate paths'));
    paths.add(file);
  };
  for (const [index, source] of listOf(projection, 'sources').entries()) {
    const at = `${path}.sources[${index}]`;
    for (const kind of ['secret', 'configMap']) {
      if (source[kind] === undefined) continue;
      requireText(errors, `${at}.${kind}.name`, source[kind].name);
      for (const [itemIndex, item] of listOf(source[kind], 'items').entries()) {
        checkKeyToPath(errors, `${at}.${kind}.items[${itemIndex}]`, item);
        if (item['path']) claim(item['path'], source[kind].name);
      }
    }
    for (const file of listOf(source['downwardAPI'], 'items')) {
      checkDownwardFile(errors, `${at}.downwardAPI`, file);
      if (file['path']) claim(file['path'], file['path']);
    }
    if (source['serviceAccountToken']) checkToken(errors, path, at, source['serviceAccountToken']);
  }
}

function checkToken(errors: Errors, path: string, at: string, token: Tree): void {
  const expires = token['expirationSeconds'] as number;
  const field = `${at}.serviceAccountToken.expirationSeconds`;
  if (expires < TEN_MINUTES)
    errors.push(invalidValue(field, expires, 'may not specify a duration less than 10 minutes'));
  if (expires > 2 ** 32)
    errors.push(invalidValue(field, expires, 'may not specify a duration larger than 2^32 seconds'));
  if (!token['path']) errors.push(requiredValue(`${path}.path`));
  else checkFilePath(errors, `${path}.path`, token['path']);
}
