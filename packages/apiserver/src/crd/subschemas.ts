import type { JsonSchema } from './types.ts';

/** A schema and all schemas inside of it. They come from JSON, so there are no cycles. */
export function subschemas(root: JsonSchema): JsonSchema[] {
  const found = [root];
  for (const schema of found) {
    found.push(...Object.values(schema.properties ?? {}));
    found.push(...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []));
    for (const part of [schema.items, schema.additionalProperties, schema.not].flat()) {
      if (typeof part === 'object') found.push(part as JsonSchema);
    }
  }
  return found;
}
