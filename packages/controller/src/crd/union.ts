/** Unions: Kubernetes wants to know the type of a value before it looks at the alternatives. */
import { deepEqual, type JsonSchemaProps } from '@capstan/kube';
import { notStructural, type SchemaDraft, type SchemaPath, structural, withoutType } from './structural.ts';

export function unionSchema({ anyOf, oneOf, ...rest }: SchemaDraft, path: SchemaPath): SchemaDraft {
  const kind = oneOf !== undefined ? 'oneOf' : 'anyOf';
  const branches = (oneOf ?? anyOf ?? []).map(branch => structural({ ...branch }, path));
  const types = new Set(branches.map(({ type }) => type ?? 'anything'));
  if (types.size === 2 && types.has('string') && types.has('integer')) return intOrString(rest, branches, path);
  if (types.size !== 1 || types.has('anything') || types.has('array')) {
    notStructural(path, `a value is of one type, not ${[...types].join(' or ')}; use z.unknown() and a CEL rule`);
  }
  const [type] = types;
  if (type !== 'object') return { ...rest, type: type!, [kind]: branches.map(withoutType) };
  return { ...rest, type, ...mergedFields(branches, path), [kind]: branches.map(distinction) };
}

function intOrString(rest: SchemaDraft, branches: readonly JsonSchemaProps[], path: SchemaPath): SchemaDraft {
  const plain = branches.every(branch => Object.keys(withoutType(branch)).length === 0);
  if (!plain) notStructural(path, 'a value that is an integer or a text cannot be restricted here; use a CEL rule');
  return { ...rest, 'x-kubernetes-int-or-string': true };
}

/** All fields of all branches. A field that two of them have must look the same in both, but for the values that tell them apart. */
function mergedFields(
  branches: readonly JsonSchemaProps[],
  path: SchemaPath,
): Pick<SchemaDraft, 'properties' | 'required'> {
  const properties: Record<string, JsonSchemaProps> = {};
  for (const [name, field] of branches.flatMap(branch => Object.entries(branch.properties ?? {}))) {
    const known = properties[name];
    if (known === undefined || deepEqual(known, field)) properties[name] = field;
    else if (known.enum !== undefined && field.enum !== undefined && known.type === field.type) {
      properties[name] = { ...known, enum: [...new Set([...known.enum, ...field.enum])] };
    } else notStructural(`${path}.${name}`, 'the alternatives of the union describe this field in different ways');
  }
  const [first, ...others] = branches.map(({ required = [] }) => required);
  const required = first?.filter(name => others.every(other => other.includes(name))) ?? [];
  return required.length > 0 ? { properties, required } : { properties };
}

/** What makes a value one of this branch: its fixed values, and what it requires. */
function distinction({ properties = {}, required = [] }: JsonSchemaProps): JsonSchemaProps {
  const fixed = Object.entries(properties).filter(([, field]) => field.enum?.length === 1);
  return {
    ...(fixed.length > 0 && {
      properties: Object.fromEntries(fixed.map(([name, field]) => [name, { enum: field.enum! }])),
    }),
    ...(required.length > 0 && { required }),
  };
}
