/** The definitions of a custom resource and of its list: the user's schema, and what all objects have. */
import type { Json } from '@capstan/kube';
import { fieldDescription } from '../builtins/index.ts';
import type { KindDefinition } from '../kind.ts';
import { mapInner, type PublishedSchema } from './definition.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** `stable.example.com`, `v1`, `Widget` → `com.example.stable.v1.Widget`. */
export function customDefinitionName({ group, version }: { group: string; version: string }, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/** By name: the kind and its list. */
export function customDefinitions(kind: KindDefinition): Readonly<Record<string, PublishedSchema>> {
  return {
    [customDefinitionName(kind, kind.kind)]: kindDefinition(kind),
    [customDefinitionName(kind, kind.listKind)]: listDefinition(kind),
  };
}

function kindDefinition(kind: KindDefinition): PublishedSchema {
  const schema = publish(kind.schema as unknown as PublishedSchema);
  const properties = schema['properties'] as Record<string, Json>;
  return {
    ...schema,
    properties: { ...properties, ...typeFields(), metadata: objectMeta() },
    ...marks(kind, kind.kind),
  };
}

function listDefinition(kind: KindDefinition): PublishedSchema {
  return {
    description: `${kind.listKind} is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields(),
      items: {
        description: `List of ${kind.plural}. More info: ${CONVENTIONS}`,
        type: 'array',
        items: { $ref: customDefinitionName(kind, kind.kind) },
      },
      metadata: { description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`, $ref: LIST_META },
    },
    ...marks(kind, kind.listKind),
  };
}

function marks({ group, version, selectableFields }: KindDefinition, kind: string): PublishedSchema {
  const fields = Object.keys(selectableFields).map(fieldPath => ({ fieldPath }));
  return {
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
    ...(fields.length > 0 && { 'x-kubernetes-selectable-fields': fields }),
  };
}

function typeFields(): Record<string, PublishedSchema> {
  const described = (field: string): PublishedSchema => ({
    description: fieldDescription('io.k8s.apimachinery.pkg.apis.meta.v1.Status', field),
    type: 'string',
  });
  return { apiVersion: described('apiVersion'), kind: described('kind') };
}

const objectMeta = (): PublishedSchema => ({
  description: `Standard object's metadata. More info: ${CONVENTIONS}#metadata`,
  $ref: OBJECT_META,
});

function publish(schema: PublishedSchema): PublishedSchema {
  return embedded(intOrString(mapInner(schema, publish)));
}

const INTEGER_OR_STRING: Json = [{ type: 'integer' }, { type: 'string' }];

/** The mark alone tells nothing to a reader of JSON Schema. */
function intOrString(schema: PublishedSchema): PublishedSchema {
  if (!schema['x-kubernetes-int-or-string']) return schema;
  const { anyOf, allOf = [] } = schema as { anyOf?: Json; allOf?: Json[] };
  if (anyOf === undefined) {
    const said = (allOf[0] as { anyOf?: Json } | undefined)?.anyOf !== undefined;
    return said ? schema : { ...schema, anyOf: INTEGER_OR_STRING };
  }
  const isThat = JSON.stringify(anyOf) === JSON.stringify(INTEGER_OR_STRING);
  return isThat ? schema : { ...schema, allOf: [{ anyOf: INTEGER_OR_STRING }, ...allOf] };
}

/** An object inside of an object says what it is. */
function embedded(schema: PublishedSchema): PublishedSchema {
  if (!schema['x-kubernetes-embedded-resource']) return schema;
  const required = (schema['required'] ?? []) as string[];
  const missing = ['kind', 'apiVersion'].filter(field => !required.includes(field));
  return {
    ...schema,
    required: [...required, ...missing],
    properties: {
      ...((schema['properties'] ?? {}) as Record<string, Json>),
      apiVersion: {
        description: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
        type: 'string',
      },
      kind: {
        description: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
        type: 'string',
      },
      metadata: objectMeta(),
    },
  };
}
