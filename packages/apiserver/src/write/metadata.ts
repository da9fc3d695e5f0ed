/** The metadata that every object has: who fills what, and what a user may write. */
import {
  deepEqual,
  timestamp,
  uuid,
  validateAnnotationKey,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelKey,
  validateLabelValue,
  validateQualifiedName,
} from '@capstan/kube';
import { childPath, type FieldError, forbiddenValue, indexPath, invalidValue, requiredValue } from '../field-error.ts';
import type { Draft, DraftMeta, KindDefinition, Stored } from '../kind.ts';
import type { WriteContext } from './context.ts';

const ANNOTATIONS_LIMIT = 256 * 1024;
/** Nobody reads more mistakes than this, and a request can hold a hundred thousand of them. */
const ERRORS_LIMIT = 100;

/** Takes away what only the server sets. */
export function wipeMetadata({ metadata }: Draft): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.generation;
  wipeDeletion(metadata);
}

function wipeDeletion(metadata: DraftMeta): void {
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata['selfLink'];
}

/** A new object begins with fields that only the server sets, whatever was made of them meanwhile. */
export function initMetadata(draft: Draft, { clock, random, kind, namespace }: WriteContext): void {
  const { metadata } = draft;
  wipeDeletion(metadata);
  metadata.uid = uuid(random);
  metadata.creationTimestamp = timestamp(clock.now());
  if (namespace !== undefined) metadata.namespace = namespace;
  if (kind.strategy.tracksGeneration) metadata.generation = 1;
}

/** Letters and digits that make no words and are not mistaken for each other. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_GENERATED_BASE = 63 - SUFFIX_LENGTH;

export function generateName(prefix: string, { random }: WriteContext): string {
  let suffix = '';
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    suffix += SUFFIX_ALPHABET[Math.floor(random.next() * SUFFIX_ALPHABET.length)];
  }
  return prefix.slice(0, MAX_GENERATED_BASE) + suffix;
}

/** The same owner named twice is one owner. */
export function dropDoubleOwners({ metadata }: Draft, { warn }: WriteContext, when?: 'after admission'): void {
  const owners: readonly Owner[] = Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : [];
  const seen: Owner[] = [];
  const doubles = new Set<string>();
  for (const owner of owners) {
    if (seen.some(other => deepEqual(other, owner))) doubles.add(owner.uid ?? '');
    else seen.push(owner);
  }
  if (doubles.size === 0) return;
  metadata['ownerReferences'] = seen;
  const moment = when === 'after admission' ? ' after mutating admission happens' : '';
  warn(
    `.metadata.ownerReferences contains duplicate entries${moment}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...doubles].join(', ')}`,
  );
}

/** What an update cannot change by leaving it out or by saying otherwise. */
export function keepMetadata(draft: Draft, old: Stored): void {
  const { metadata } = draft;
  delete metadata['selfLink'];
  metadata.uid ||= old.metadata.uid!;
  if (old.metadata.creationTimestamp) metadata.creationTimestamp = old.metadata.creationTimestamp;
  if (old.metadata.deletionTimestamp) metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  else delete metadata.deletionTimestamp;
  if (old.metadata.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= old.metadata.deletionGracePeriodSeconds;
  } else delete metadata.deletionGracePeriodSeconds;
}

export function validateMetadata(metadata: DraftMeta, kind: KindDefinition): FieldError[] {
  return [
    ...nameErrors(metadata, kind),
    ...namespaceErrors(metadata, kind),
    ...labelErrors(metadata.labels, 'metadata.labels'),
    ...annotationErrors(metadata.annotations, 'metadata.annotations'),
    ...ownerErrors(metadata['ownerReferences'] ?? []),
    ...finalizerErrors(metadata.finalizers ?? [], kind),
  ];
}

function nameErrors({ name, generateName: prefix }: DraftMeta, kind: KindDefinition): FieldError[] {
  const check =
    kind.strategy.validateName ??
    ((text: string, isPrefix: boolean) => validateDns1123Subdomain(isPrefix ? text.replace(/-$/, 'a') : text));
  const errors: FieldError[] = [];
  if (prefix) {
    for (const why of check(prefix, true)) errors.push(invalidValue('metadata.generateName', prefix, why));
  }
  if (!name) errors.push(requiredValue('metadata.name', 'name or generateName is required'));
  else for (const why of check(name, false)) errors.push(invalidValue('metadata.name', name, why));
  return errors;
}

function namespaceErrors({ namespace }: DraftMeta, kind: KindDefinition): FieldError[] {
  if (!kind.namespaced) {
    return namespace ? [forbiddenValue('metadata.namespace', 'not allowed on this type')] : [];
  }
  if (!namespace) return [requiredValue('metadata.namespace')];
  return validateDns1123Label(namespace).map(why => invalidValue('metadata.namespace', namespace, why));
}

export function labelErrors(labels: Record<string, string> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const why of validateLabelKey(key)) errors.push(invalidValue(path, key, why));
    for (const why of validateLabelValue(value)) errors.push(invalidValue(path, value, why));
    if (errors.length >= ERRORS_LIMIT) break;
  }
  return errors;
}

function annotationErrors(annotations: Record<string, string> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (errors.length < ERRORS_LIMIT) {
      for (const why of validateAnnotationKey(key)) errors.push(invalidValue(path, key, why));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) {
    errors.push({
      type: 'FieldValueTooLong',
      field: path,
      badValue: '',
      detail: `may not be more than ${ANNOTATIONS_LIMIT} bytes`,
    });
  }
  return errors;
}

interface Owner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

function ownerErrors(owners: readonly Owner[]): FieldError[] {
  const errors: FieldError[] = [];
  let controller: Owner | undefined;
  owners
    .map(given => given ?? {})
    .forEach((owner, index) => {
      const path = indexPath('metadata.ownerReferences', index);
      for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
        if (!owner[field]) errors.push(requiredValue(childPath(path, field), 'must not be empty'));
      }
      if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
        errors.push(invalidValue(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
      }
      if (!owner.controller) return;
      if (controller) {
        const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller.kind}/${controller.name} and ${owner.kind}/${owner.name}`;
        errors.push(invalidValue('metadata.ownerReferences', owners, why));
      }
      controller = owner;
    });
  return errors;
}

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function finalizerErrors(finalizers: readonly string[], kind: KindDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const seen = { orphan: false, foregroundDeletion: false };
  // Null is what Go reads as nothing: in custom resources it comes as it is.
  finalizers
    .map(given => given ?? '')
    .forEach((finalizer, index) => {
      const path = kind.custom ? 'metadata.finalizers' : indexPath('metadata.finalizers', index);
      for (const why of validateQualifiedName(finalizer))
        errors.push(invalidValue('metadata.finalizers', finalizer, why));
      if (!kind.custom && !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) {
        const why = 'name is neither a standard finalizer name nor is it fully qualified';
        errors.push(invalidValue(path, finalizer, why));
      }
      if (finalizer === 'orphan' || finalizer === 'foregroundDeletion') seen[finalizer] = true;
    });
  if (seen.orphan && seen.foregroundDeletion) {
    const why = 'finalizer foregroundDeletion and orphan cannot be both set';
    errors.push(invalidValue('metadata.finalizers', finalizers, why));
  }
  return errors;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function validateMetadataUpdate(metadata: DraftMeta, old: Stored['metadata']): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const added = (metadata.finalizers ?? []).filter(finalizer => !old.finalizers?.includes(finalizer));
    if (added.length > 0) {
      const list = `[]string{${added.map(finalizer => JSON.stringify(finalizer)).join(', ')}}`;
      const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(forbiddenValue('metadata.finalizers', why));
    }
  }
  if (metadata.generation !== undefined && metadata.generation < (old.generation ?? 0)) {
    errors.push(invalidValue('metadata.generation', metadata.generation, 'must not be decremented'));
  }
  for (const field of IMMUTABLE) {
    if ((metadata[field] ?? '') !== (old[field] ?? '')) {
      errors.push(invalidValue(childPath('metadata', field), metadata[field] ?? '', 'field is immutable'));
    }
  }
  return errors;
}
