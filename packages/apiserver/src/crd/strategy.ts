/** How custom resources of one version are written. */
import { type Json, validateQualifiedName } from '@capstan/kube';
import { type FieldError, invalidValue } from '../field-error.ts';
import type { Draft, Stored, Strategy } from '../kind.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { validateRules } from '../schema/rules.ts';
import type { Schema } from '../schema/schema.ts';
import { validateFields, validateListTypes } from '../schema/validate.ts';
import { scaleSpecErrors, scaleStatusErrors } from './scale.ts';
import type { CrdSubresources } from './types.ts';

export interface CustomResourceRules {
  readonly apiVersion: string;
  readonly kind: string;
  /** As the user wrote it, without type and metadata: these are checked elsewhere. */
  readonly schema: Schema;
  readonly subresources: CrdSubresources;
}

export function customResourceStrategy(rules: CustomResourceRules): Strategy {
  const hasStatus = rules.subresources.status !== undefined;
  const { scale } = rules.subresources;
  return {
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    tracksGeneration: true,
    // The schema's defaults are filled in for every kind; a custom resource has no others.
    default() {},
    prepareForCreate(draft) {
      if (hasStatus) delete draft.status;
    },
    prepareForUpdate(draft, old) {
      if (!hasStatus) return;
      if (Object.hasOwn(old, 'status')) draft.status = old.status;
      else delete draft.status;
    },
    prepareForStatusUpdate(draft, old) {
      for (const field of Object.keys(draft)) if (!Object.hasOwn(old, field) && field !== 'status') delete draft[field];
      for (const field of Object.keys(old)) if (field !== 'status' && field !== 'metadata') draft[field] = old[field];
      const { managedFields, resourceVersion } = draft.metadata;
      // Metadata is the old one's; who wrote what is the news.
      draft.metadata = { ...old.metadata };
      if (managedFields !== undefined) draft.metadata.managedFields = managedFields;
      if (resourceVersion !== undefined) draft.metadata.resourceVersion = resourceVersion;
    },
    validate(object) {
      const wrongType = typeErrors(object, rules);
      if (wrongType.length > 0) return wrongType;
      const value = json(object);
      const errors = [
        ...validateFields(value, rules.schema),
        ...(scale ? [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)] : []),
        ...validateEmbedded(value, rules.schema, ''),
        ...validateListTypes(value, rules.schema),
      ];
      return [...errors, ...validateRules(value, rules.schema, { errors })];
    },
    validateUpdate(object, old) {
      const wrongType = typeErrors(object, rules);
      if (wrongType.length > 0) return wrongType;
      const value = json(object);
      const before = json(old);
      const errors = [
        ...validateFields(value, rules.schema, { old: before }),
        ...(scale ? [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)] : []),
        ...validateEmbedded(value, rules.schema, ''),
        ...validateListTypes(value, rules.schema, { old: before }),
      ];
      return [...errors, ...validateRules(value, rules.schema, { old: before, errors })];
    },
    validateStatusUpdate(object, old) {
      const wrongType = typeErrors(object, rules);
      if (wrongType.length > 0) return wrongType;
      const value = json(object);
      const before = json(old);
      const status = rules.schema.properties?.status;
      const errors = [
        ...(Object.hasOwn(object, 'status') && status
          ? validateFields(object.status, status, { path: 'status', old: old.status })
          : []),
        ...(scale ? scaleStatusErrors(object, scale) : []),
        ...validateListTypes(value, rules.schema, { old: before }),
      ];
      return [...errors, ...validateRules(value, rules.schema, { old: before, errors })];
    },
    warnings: finalizerWarnings,
    resetFields(subresource) {
      if (!hasStatus) return [];
      return subresource === 'status' ? [['metadata'], ['spec']] : [['status']];
    },
  };
}

const json = (object: Draft | Stored): Json => object as unknown as Json;

function typeErrors(object: Draft, { apiVersion, kind }: CustomResourceRules): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== kind) errors.push(invalidValue('kind', object.kind ?? '', `must be ${kind}`));
  if (object.apiVersion !== apiVersion) {
    errors.push(invalidValue('apiVersion', object.apiVersion ?? '', `must be ${apiVersion}`));
  }
  return errors;
}

const STANDARD_FINALIZERS: readonly string[] = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** New finalizers without a domain are allowed and frowned upon. */
function finalizerWarnings(object: Draft, old: Stored | undefined): string[] {
  const before = old?.metadata.finalizers ?? [];
  const added = [...new Set(object.metadata.finalizers ?? [])].filter(name => !before.includes(name)).sort();
  return added.flatMap(name => {
    const about = `metadata.finalizers: ${JSON.stringify(name)}:`;
    const warnings = validateQualifiedName(name).map(problem => `${about} ${problem}`);
    if (!name.includes('/') && !STANDARD_FINALIZERS.includes(name)) {
      const form = name.includes('.') ? ' including a path (/)' : '';
      const why = 'to avoid accidental conflicts with other finalizer writers';
      warnings.push(`${about} prefer a domain-qualified finalizer name${form} ${why}`);
    }
    return warnings;
  });
}
