/** How CustomResourceDefinitions themselves are written: the built-in kind's rules. */
import type { Draft, Stored, Strategy } from '../kind.ts';
import { isEnforcedFormat } from '../schema/formats.ts';
import { subschemas } from './subschemas.ts';
import { asCrd, type CrdVersion, type JsonSchema } from './types.ts';
import { validateCrd, validateCrdUpdate } from './validate.ts';

/** The strategy of the kind CustomResourceDefinition, on the ground that all built-in kinds stand on. */
export function crdStrategy(ground: Strategy): Strategy {
  return {
    ...ground,
    allowsUnconditionalUpdate: false,
    tracksGeneration: true,
    default(draft) {
      ground.default(draft);
      defaultCrd(draft);
    },
    prepareForCreate(draft, context) {
      ground.prepareForCreate(draft, context);
      draft.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
      recordStorageVersion(draft);
    },
    prepareForUpdate(draft, old, context) {
      ground.prepareForUpdate(draft, old, context);
      draft.status = { ...old.status, storedVersions: [...(old.status?.storedVersions ?? [])] };
      recordStorageVersion(draft);
    },
    validate: object => validateCrd(object as Stored),
    validateUpdate: (object, old) => validateCrdUpdate(object as Stored, old),
    warnings: crdWarnings,
  };
}

/** Fills in the names that follow from the kind, and the conversion. */
export function defaultCrd(draft: Draft): void {
  const spec = (draft.spec ??= {});
  const names = (spec.names ??= {});
  if (spec.versions === null) spec.versions = [];
  if (!names.singular && names.kind) names.singular = String(names.kind).toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
  if (draft.status && !draft.status.storedVersions?.length) {
    draft.status.storedVersions = [];
    recordStorageVersion(draft);
  }
}

function recordStorageVersion(draft: Draft): void {
  const versions: readonly CrdVersion[] = draft.spec?.versions ?? [];
  const storage = versions.find(version => version.storage)?.name;
  if (storage !== undefined && !draft.status.storedVersions.includes(storage))
    draft.status.storedVersions.push(storage);
}

/** Formats that nothing enforces, and sets whose items server-side apply cannot merge; on update, only those that are new. */
function crdWarnings(object: Draft, old: Stored | undefined): string[] {
  const before = old ? warningsOf(old) : [];
  return warningsOf(object as Stored).filter(warning => !before.includes(warning));
}

function warningsOf(object: Stored): string[] {
  const nodes = (asCrd(object).spec?.versions ?? []).flatMap(({ schema }) =>
    schema?.openAPIV3Schema ? subschemas(schema.openAPIV3Schema) : [],
  );
  const formats = nodes
    .filter(({ format, type }) => format && !isEnforcedFormat(format, [type ?? '']))
    .map(({ format }) => `unrecognized format "${format}"`);
  const sets = nodes
    .filter(node => node['x-kubernetes-list-type'] === 'set')
    .map(({ items }) => (items as JsonSchema | undefined)?.type ?? '')
    .filter(type => type === 'object' || type === 'array');
  const words = 'is not supported by server-side apply or CEL validation rules';
  return [
    ...formats,
    ...[...new Set(sets)].sort().map(type => `x-kubernetes-list-type: set for items of type "${type}" ${words}`),
  ];
}
