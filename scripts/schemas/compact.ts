/** From an OpenAPI v3 definition to the structure that the API server keeps: references by name, no prose. */
import type { GoFields } from './go-types.ts';

export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly [extension: string]: unknown;
}

const REFERENCE = '#/components/schemas/';
const QUANTITY = { type: 'string', format: 'quantity' };
const INT_OR_STRING = { 'x-kubernetes-int-or-string': true };

/** Objects or values whose inside Kubernetes does not decode. */
const OPAQUE = /\.(FieldsV1|Patch|RawExtension|JSON|JSONSchemaPropsOr\w+)$/;

/** Copied as they are. `enum` and unions are left out: the published documents have the former nowhere, nobody reads the latter. */
const KEPT = [
  'type',
  'format',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
] as const;

/** The structure of the definition `name`, with what Go knows about its fields. */
export function compactDefinition(name: string, schema: OpenApiSchema, goFields?: GoFields): unknown {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return {
    ...(compact(schema, true) as object),
    ...(OPAQUE.test(name) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(kinds?.length === 1 ? { 'x-kubernetes-group-version-kind': kinds } : {}),
    ...(goFields === undefined ? {} : { 'x-go-fields': goFields }),
  };
}

/** Names of the definitions that this one mentions. */
export function referencesOf(schema: OpenApiSchema): string[] {
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  const own = schema.$ref === undefined ? [] : [schema.$ref.slice(REFERENCE.length)];
  return [...own, ...children.flatMap(referencesOf)];
}

function compact(schema: OpenApiSchema, isDefinition: boolean): unknown {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  const result: Record<string, unknown> = {};
  if (reference !== undefined) result['$ref'] = reference.slice(REFERENCE.length);
  if (isDefinition && schema.oneOf !== undefined) return schema.format === 'int-or-string' ? INT_OR_STRING : QUANTITY;
  for (const key of KEPT) if (schema[key] !== undefined) result[key] = schema[key];
  if (isScalarDefault(schema.default)) result['default'] = schema.default;
  if (schema.properties !== undefined) {
    result['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, compact(property, false)]),
    );
  }
  if (schema.items !== undefined) result['items'] = compact(schema.items, false);
  if (schema.additionalProperties !== undefined) {
    result['additionalProperties'] = compact(schema.additionalProperties, false);
  }
  return result;
}

/**
 * Go's zero values are published as defaults. Those of scalars count, as the value of a list-map key that is absent; `{}`
 * means nothing.
 */
function isScalarDefault(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}
