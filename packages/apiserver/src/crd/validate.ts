/**
 * Validates CustomResourceDefinitions in Kubernetes' words. Kubernetes reports on its internal form of a CRD, in which what
 * all versions have in common (their schema, their columns) stands once above them: hence paths like
 * `spec.validation.openAPIV3Schema` that are not in what the user wrote.
 */
import { deepEqual, validateDns1035Label, validateDns1123Subdomain } from '@capstan/kube';
import { type FieldError, indexPath, invalidValue, requiredValue, unsupportedValue } from '../field-error.ts';
import { conversionErrors } from './conversion-errors.ts';
import { nameErrors } from './name-errors.ts';
import { schemaErrors } from './schema-errors.ts';
import { subschemas } from './subschemas.ts';
import {
  type AnyCrd,
  asCrd,
  type CrdSpec,
  type CrdVersion,
  type CustomResourceDefinition,
  type JsonSchema,
} from './types.ts';
import { columnErrors, deprecationErrors, selectableFieldErrors, subresourceErrors } from './version-errors.ts';

/** Everything that is wrong with a new CRD. Defaults have been filled in. */
export function validateCrd(object: AnyCrd): FieldError[] {
  const crd = asCrd(object);
  const name = crd.metadata.name ?? '';
  const expected = `${crd.spec?.names?.plural ?? ''}.${crd.spec?.group ?? ''}`;
  return [
    ...(name === expected ? [] : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...contentErrors(crd),
  ];
}

/** What an established CRD is stored under cannot change, nor what its name is made of. */
export function validateCrdUpdate(object: AnyCrd, oldObject: AnyCrd): FieldError[] {
  const [crd, old] = [asCrd(object), asCrd(oldObject)];
  const isEstablished = old.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  const immutable = (field: string, value: unknown, before: unknown): FieldError[] =>
    value === before ? [] : [invalidValue(field, value, 'field is immutable')];
  return [
    ...specErrors(crd.spec),
    ...(isEstablished
      ? [
          ...immutable('spec.scope', crd.spec.scope, old.spec.scope),
          ...immutable('spec.names.kind', crd.spec.names.kind, old.spec.names.kind),
        ]
      : []),
    ...immutable('spec.group', crd.spec.group, old.spec.group),
    ...immutable('spec.names.plural', crd.spec.names.plural, old.spec.names.plural),
    ...statusErrors(crd),
    ...(old.spec.preserveUnknownFields ? [] : preserveErrors(crd.spec)),
  ];
}

function contentErrors(crd: CustomResourceDefinition): FieldError[] {
  return [...specErrors(crd.spec), ...statusErrors(crd), ...preserveErrors(crd.spec)];
}

function preserveErrors({ preserveUnknownFields }: CrdSpec): FieldError[] {
  const words =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return preserveUnknownFields ? [invalidValue('spec.preserveUnknownFields', true, words)] : [];
}

function specErrors(spec: CrdSpec): FieldError[] {
  const { names, conversion, preserveUnknownFields } = spec;
  const errors = [...groupErrors(spec), ...scopeErrors(spec), ...defaultedErrors(spec), ...versionErrors(spec)];
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names?.[field]) errors.push(requiredValue(`spec.names.${field}`));
  }
  if (names) errors.push(...nameErrors(names, 'spec.names'));
  errors.push(...commonErrors(spec));
  if (conversion && conversion.strategy !== 'None' && preserveUnknownFields) {
    const words = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalidValue('spec.conversion.strategy', conversion.strategy, words));
  }
  return conversion ? [...errors, ...conversionErrors(conversion)] : errors;
}

function groupErrors({ group }: CrdSpec): FieldError[] {
  if (!group) return [requiredValue('spec.group')];
  const problems = validateDns1123Subdomain(group);
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

/** Defaults need pruning, and pruning needs a schema that knows all fields. */
function defaultedErrors({ preserveUnknownFields, versions = [] }: CrdSpec): FieldError[] {
  const hasDefaults = versions.some(({ schema }) => schema?.openAPIV3Schema && usesDefaults(schema.openAPIV3Schema));
  const words = 'must be false in order to use defaults in the schema';
  return preserveUnknownFields && hasDefaults ? [invalidValue('spec.preserveUnknownFields', true, words)] : [];
}

function usesDefaults(schema: JsonSchema): boolean {
  return subschemas(schema).some(node => node.default !== undefined && node.default !== null);
}

function scopeErrors({ scope }: CrdSpec): FieldError[] {
  if (!scope) return [requiredValue('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [unsupportedValue('spec.scope', scope, scopes)];
}

/** Which parts all versions share, and are therefore reported once. */
function shared({
  versions = [],
}: CrdSpec): Pick<CrdVersion, SharedField> & { readonly fields: ReadonlySet<SharedField> } {
  const first = versions[0];
  const fields = SHARED.filter(field => first && versions.every(version => deepEqual(version[field], first[field])));
  return { ...Object.fromEntries(fields.map(field => [field, first?.[field]])), fields: new Set(fields) };
}

const SHARED = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
type SharedField = (typeof SHARED)[number];

function versionErrors(spec: CrdSpec): FieldError[] {
  const { versions = [] } = spec;
  const { fields } = shared(spec);
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    if (!version.schema?.openAPIV3Schema) {
      errors.push(requiredValue(`${indexPath('spec.versions', i)}.schema.openAPIV3Schema`));
    }
  }
  for (const [i, version] of versions.entries()) {
    const path = indexPath('spec.versions', i);
    const problems = validateDns1035Label(version.name ?? '');
    if (problems.length > 0) errors.push(invalidValue(`${path}.name`, version.name ?? '', problems.join(',')));
    errors.push(...deprecationErrors(version, path));
    const own = Object.fromEntries(SHARED.filter(field => !fields.has(field)).map(field => [field, version[field]]));
    const hasStatus = version.subresources?.status !== undefined;
    errors.push(...partErrors(own, path, 'schema', hasStatus, version));
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidValue('spec.versions', internalVersions(spec), 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const words = 'must have exactly one version marked as storage version';
    errors.push(invalidValue('spec.versions', internalVersions(spec), words));
  }
  // The internal form has the first version's name in a field of its own, which is checked too.
  const first = versions[0]?.name ?? '';
  const problems = first === '' ? [] : validateDns1035Label(first);
  if (problems.length > 0) errors.push(invalidValue('spec.version', first, problems.join(',')));
  return errors;
}

/** What stands above the versions in the internal form. */
function commonErrors(spec: CrdSpec): FieldError[] {
  const { fields: _fields, ...parts } = shared(spec);
  const hasStatus = (spec.versions ?? []).some(({ subresources }) => subresources?.status !== undefined);
  return partErrors(parts, 'spec', 'validation', hasStatus, spec.versions?.[0]);
}

function partErrors(
  parts: Partial<Pick<CrdVersion, SharedField>>,
  path: string,
  schemaField: 'schema' | 'validation',
  hasStatus: boolean,
  version: CrdVersion | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const schema = parts.schema?.openAPIV3Schema;
  if (schema) errors.push(...schemaErrors(schema, `${path}.${schemaField}.openAPIV3Schema`, hasStatus));
  if (parts.subresources) errors.push(...subresourceErrors(parts.subresources, `${path}.subresources`));
  for (const [i, column] of (parts.additionalPrinterColumns ?? []).entries()) {
    errors.push(...columnErrors(column, indexPath(`${path}.additionalPrinterColumns`, i)));
  }
  const whole = version?.schema?.openAPIV3Schema;
  if (parts.selectableFields?.length && whole) {
    errors.push(...selectableFieldErrors(parts.selectableFields, whole, `${path}.selectableFields`));
  }
  return errors;
}

/** Versions as Go prints its internal structs. */
function internalVersions(spec: CrdSpec): object[] {
  const { fields } = shared(spec);
  return (spec.versions ?? []).map(version => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: (fields.has('schema') ? undefined : version.schema) ?? null,
    Subresources: (fields.has('subresources') ? undefined : version.subresources) ?? null,
    AdditionalPrinterColumns:
      (fields.has('additionalPrinterColumns') ? undefined : version.additionalPrinterColumns) ?? null,
    SelectableFields: (fields.has('selectableFields') ? undefined : version.selectableFields) ?? null,
  }));
}

/** Objects may be stored in every version that ever was the storage version, until somebody says otherwise. */
function statusErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  const errors = status?.acceptedNames ? nameErrors(status.acceptedNames, 'status.acceptedNames') : [];
  if (stored.length === 0) return [...errors, invalidValue(path, null, 'must have at least one stored version')];
  const names = (spec.versions ?? []).map(({ name }) => name);
  for (const { name, storage } of spec.versions ?? []) {
    if (storage && !stored.includes(name)) {
      errors.push(invalidValue(path, stored, `must have the storage version ${name}`));
    }
  }
  for (const [i, name] of stored.entries()) {
    if (names.includes(name)) continue;
    const words = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalidValue(indexPath(path, i), name, words));
  }
  return errors;
}
