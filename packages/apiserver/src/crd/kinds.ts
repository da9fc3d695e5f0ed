/** From a CustomResourceDefinition to the kinds it makes the server serve. */
import { deepClone, type Json } from '@capstan/kube';
import type { Draft, KindDefinition, ScaleSubresource, Stored, Verb } from '../kind.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { newestFirst } from '../version-order.ts';
import { relabel } from './conversion.ts';
import { kindSchema } from './kind-schema.ts';
import { pathSegments, valueAt } from './simple-path.ts';
import { customResourceStrategy } from './strategy.ts';
import {
  type AnyCrd,
  asCrd,
  type CrdSpec,
  type CrdSubresources,
  type CrdVersion,
  type CustomResourceDefinition,
} from './types.ts';

const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** One kind for each served version, in the order of the CRD. Names are those that were accepted. */
export function kindDefinitions(crd: AnyCrd): KindDefinition[] {
  const definition = asCrd(crd);
  return definition.spec.versions.filter(({ served }) => served).map(version => kindOf(definition, version));
}

function kindOf(crd: CustomResourceDefinition, version: CrdVersion): KindDefinition {
  const { group, scope, versions } = crd.spec;
  const names = crd.status?.acceptedNames.plural ? crd.status.acceptedNames : crd.spec.names;
  const stored = versions.find(candidate => candidate.storage) ?? version;
  const apiVersion = `${group}/${version.name}`;
  const schema = (version.schema?.openAPIV3Schema ?? {}) as Schema;
  const subresources = version.subresources ?? {};
  const converts = stored.name !== version.name;
  const usesWebhook = crd.spec.conversion?.strategy === 'Webhook';
  const storedSchema = kindSchema((stored.schema?.openAPIV3Schema ?? {}) as Schema);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    verbs: VERBS,
    custom: true,
    storage: { group, plural: names.plural, version: stored.name },
    ...(usesWebhook && { conversionWebhook: crd.spec.conversion! }),
    ...(converts && { storageSchema: storedSchema }),
    ...(converts &&
      !usesWebhook && {
        fromStorage: object => relabel(object, apiVersion),
        toStorage: draft => intoVersion(draft, `${group}/${stored.name}`, storedSchema),
      }),
    schema: kindSchema(schema),
    ...(version.deprecated && { deprecation: version.deprecationWarning ?? deprecationOf(crd.spec, version) }),
    subresources: {
      ...(subresources.status && { status: true }),
      ...(subresources.scale && { scale: scaleOf(subresources.scale) }),
    },
    ...(version.additionalPrinterColumns?.length && { columns: version.additionalPrinterColumns }),
    selectableFields: selectableFields(version),
    strategy: customResourceStrategy({ apiVersion, kind: names.kind, schema, subresources }),
  };
}

/** A version keeps only what its own schema knows: fields of another version do not survive being stored. */
function intoVersion(draft: Draft, apiVersion: string, schema: Schema): Draft {
  const converted = deepClone(relabel(draft, apiVersion));
  prune(converted as unknown as Json, schema);
  return converted;
}

/** Names the newest version that is not deprecated, where there is a newer one. */
function deprecationOf({ group, names, versions }: CrdSpec, { name }: CrdVersion): string {
  const better = versions
    .filter(other => other.served && !other.deprecated && newestFirst(other.name, name) < 0)
    .map(other => other.name)
    .sort(newestFirst)[0];
  const message = `${group}/${name} ${names.kind} is deprecated`;
  return better === undefined ? message : `${message}; use ${group}/${better} ${names.kind}`;
}

function scaleOf(scale: NonNullable<CrdSubresources['scale']>): ScaleSubresource {
  const withoutDot = (path: string): string => path.replace(/^\./, '');
  return {
    specReplicasPath: withoutDot(scale.specReplicasPath),
    statusReplicasPath: withoutDot(scale.statusReplicasPath),
    ...(scale.labelSelectorPath && { labelSelectorPath: withoutDot(scale.labelSelectorPath) }),
  };
}

function selectableFields({ selectableFields: fields = [] }: CrdVersion): KindDefinition['selectableFields'] {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const segments = pathSegments(jsonPath);
      const read = (object: Stored): string => {
        const value = valueAt(object, segments);
        return value === undefined || value === null ? '' : String(value);
      };
      return [segments.join('.'), read];
    }),
  );
}
