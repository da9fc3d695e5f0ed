import type { StructuralSchema } from '../../schema.ts';

/** The longest name of an object; a generated one gets at least one more character. */
const MAX_NAME = 253;

/**
 * At the root of a resource (the custom resource itself, or an embedded one) rules always see `apiVersion`, `kind`,
 * `metadata.name` and `metadata.generateName`, and nothing else of `metadata`.
 */
export function withResourceFields(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const metadata = properties['metadata']?.properties;
  const isComplete =
    properties['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    properties['metadata']?.type === 'object' &&
    metadata?.['name']?.type === 'string' &&
    metadata['generateName']?.type === 'string';
  if (isComplete) return schema;
  return {
    ...schema,
    properties: {
      ...properties,
      kind: { type: 'string' },
      apiVersion: { type: 'string' },
      metadata: {
        type: 'object',
        properties: {
          name: cappedString(metadata?.['name'], MAX_NAME),
          generateName: cappedString(metadata?.['generateName'], MAX_NAME - 1),
        },
      },
    },
  };
}

function cappedString(existing: StructuralSchema | undefined, cap: number): StructuralSchema {
  return { type: 'string', maxLength: Math.min(existing?.maxLength ?? cap, cap) };
}
