/** The schema of a custom resource as it is served: the user's, with the type and the metadata that all objects have. */
import { OBJECT_META } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';

const TYPE_META: Readonly<Record<'apiVersion' | 'kind', Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
};

/** `metadata` in the user's schema can only restrict the name: what it says about that is kept. */
export function kindSchema(schema: Schema): Schema {
  const { name, generateName } = schema.properties?.metadata?.properties ?? {};
  const metadata: Schema = {
    ...OBJECT_META,
    properties: { ...OBJECT_META.properties, ...(name && { name }), ...(generateName && { generateName }) },
  };
  return { ...schema, properties: { ...schema.properties, ...TYPE_META, metadata } };
}
