/** The definitions of Kubernetes' own types, with descriptions, defaults and the values of enumerations. */
import type { Json } from '@capstan/kube';
import { fieldDescription, type RawDefinition, rawDefinitions, typeDescription } from '../builtins/index.ts';
import type { PublishedSchema } from './definition.ts';
import { serverFacts } from './server-facts.ts';

const published = new Map<string, PublishedSchema>();

export function builtinDefinition(name: string): PublishedSchema {
  const known = published.get(name);
  if (known !== undefined) return known;
  const raw = rawDefinitions()[name];
  if (raw === undefined) throw new Error(`there is no definition ${name}: run scripts/schemas/generate.ts`);
  const definition = publish(name, raw);
  published.set(name, definition);
  return definition;
}

let byKind: Map<string, string> | undefined;

/** The definition of a built-in kind or of its list; undefined for kinds that are none. */
export function definitionOfKind(group: string, version: string, kind: string): string | undefined {
  if (byKind === undefined) {
    byKind = new Map();
    for (const [name, raw] of Object.entries(rawDefinitions())) {
      // Definitions that every group has (DeleteOptions) name many kinds; a kind's own names one.
      const [one, ...others] = raw['x-kubernetes-group-version-kind'] ?? [];
      if (one && others.length === 0) byKind.set(`${one.group}/${one.version}/${one.kind}`, name);
    }
  }
  return byKind.get(`${group}/${version}/${kind}`);
}

/** Types that are no structs: what the server reads them by says more than the documents do. */
const OTHER_TYPES: Readonly<Record<string, PublishedSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
};

function publish(name: string, raw: RawDefinition): PublishedSchema {
  const { 'x-go-fields': goFields = {}, 'x-kubernetes-preserve-unknown-fields': _open, properties, ...rest } = raw;
  const description = typeDescription(name);
  return {
    ...(description !== '' && { description }),
    ...(OTHER_TYPES[name] ?? (rest as unknown as PublishedSchema)),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, schema]) => [
          field,
          publishField(name, field, schema as unknown as PublishedSchema, goFields[field] ?? ''),
        ]),
      ),
    }),
  };
}

function publishField(definition: string, field: string, schema: PublishedSchema, goType: string): PublishedSchema {
  const values = serverFacts().enums[`${definition} ${field}`];
  const description = fieldDescription(definition, field) + (values?.description ?? '');
  return {
    ...(description !== '' && { description }),
    ...schema,
    ...enumerated(schema, values ? { enum: [...values.values] } : {}),
    ...(isStruct(schema) && !goType.includes('*') && { default: {} }),
  };
}

/** The values are those of the items of a list and of the values of a map. */
function enumerated(schema: PublishedSchema, values: Record<string, Json>): PublishedSchema {
  for (const inner of ['items', 'additionalProperties']) {
    if (typeof schema[inner] === 'object') return { [inner]: { ...(schema[inner] as PublishedSchema), ...values } };
  }
  return values;
}

/** A struct that is no pointer is always there, if only empty. */
function isStruct({ $ref }: PublishedSchema): boolean {
  if (typeof $ref !== 'string') return false;
  const target = rawDefinitions()[$ref];
  return target?.type === 'object' && !target['x-kubernetes-preserve-unknown-fields'];
}
