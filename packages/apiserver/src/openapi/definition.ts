/**
 * A definition as the documents publish it, before it is written in the words of version 2 or 3: references are
 * `{ $ref: 'io.k8s.…' }` with the description and the default of the field beside them.
 */
import type { Json } from '@capstan/kube';

export type PublishedSchema = { readonly [key: string]: Json };

/** Every schema that stands directly inside of this one. */
export function inner(schema: PublishedSchema): PublishedSchema[] {
  const { properties = {}, items, additionalProperties } = schema;
  const several = ['allOf', 'anyOf', 'oneOf'].flatMap(key => (schema[key] ?? []) as PublishedSchema[]);
  return [
    ...Object.values(properties as Record<string, PublishedSchema>),
    ...several,
    ...[items, additionalProperties, schema['not']].filter(one => typeof one === 'object' && one !== null),
  ] as PublishedSchema[];
}

/** The same with every schema inside of it changed by `change`. */
export function mapInner(
  schema: PublishedSchema,
  change: (inner: PublishedSchema) => PublishedSchema,
): Record<string, Json> {
  const result: Record<string, Json> = { ...schema };
  for (const key of ['items', 'additionalProperties', 'not']) {
    const found = schema[key];
    if (typeof found === 'object' && found !== null) result[key] = change(found as PublishedSchema);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const found = schema[key];
    if (found !== undefined) result[key] = (found as PublishedSchema[]).map(change);
  }
  if (schema['properties'] !== undefined) {
    const properties = Object.entries(schema['properties'] as Record<string, PublishedSchema>);
    result['properties'] = Object.fromEntries(properties.map(([name, property]) => [name, change(property)]));
  }
  return result;
}

/** The names of the definitions that a schema refers to, at any depth. */
export function referencesOf(schema: PublishedSchema): string[] {
  const own = typeof schema['$ref'] === 'string' ? [schema['$ref']] : [];
  return [...own, ...inner(schema).flatMap(referencesOf)];
}
