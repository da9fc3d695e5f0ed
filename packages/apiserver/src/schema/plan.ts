/**
 * What the walks below need from a schema node, worked out once: which formats count, the compiled pattern, whether
 * anything under the node has a default. Kept beside the node in a WeakMap, so that a shared or cyclic graph costs one plan a
 * node and a dropped schema takes its plans with it.
 */
import type { Json } from '@capstan/kube';
import { formatCheck } from './formats.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { Schema } from './schema.ts';

export interface Plan {
  readonly schema: Schema;
  /** Own properties by name: a lookup that `constructor` does not fool. */
  readonly properties: ReadonlyMap<string, Schema>;
  /** Properties that have a default, with it. */
  readonly defaults: readonly (readonly [name: string, value: Json])[];
  /** The schema of keys that are no property. */
  readonly additional: Schema | undefined;
  readonly items: Schema | undefined;
  /** The JSON types that are allowed; empty when any is. */
  readonly types: readonly string[];
  /** The format as far as Kubernetes enforces it for this type, '' otherwise. */
  readonly format: string;
  readonly isFormat: ((text: string) => boolean) | undefined;
  readonly pattern: Pattern | undefined;
  readonly required: readonly string[];
  readonly hasJunctors: boolean;
  readonly preserves: boolean;
  readonly embedded: boolean;
}

const plans = new WeakMap<Schema, Plan>();

export function planOf(schema: Schema): Plan {
  let plan = plans.get(schema);
  if (plan === undefined) plans.set(schema, (plan = makePlan(schema)));
  return plan;
}

function makePlan(schema: Schema): Plan {
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const properties = Object.entries(schema.properties ?? {});
  const { format, isFormat } = formatCheck(schema.format ?? '', types);
  return {
    schema,
    properties: new Map(properties),
    defaults: properties.flatMap(([name, { default: value }]) =>
      value === undefined || value === null ? [] : [[name, value as Json] as const],
    ),
    additional: typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined,
    items: schema.items,
    types,
    format,
    isFormat,
    pattern: schema.pattern ? compilePattern(schema.pattern) : undefined,
    required: schema.required ?? [],
    hasJunctors: Boolean(schema.allOf?.length || schema.anyOf?.length || schema.oneOf?.length || schema.not),
    preserves: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
  };
}

/** The schema of a field: its property's, else that of additional properties. */
export function fieldSchema(plan: Plan, name: string): Schema | undefined {
  return plan.properties.get(name) ?? plan.additional;
}

/** Every node of a schema graph, each once. */
export function reachable(root: Schema): Schema[] {
  const seen = new Set<Schema>([root]);
  for (const schema of seen) {
    const plan = planOf(schema);
    for (const property of plan.properties.values()) seen.add(property);
    if (plan.additional) seen.add(plan.additional);
    if (plan.items) seen.add(plan.items);
  }
  return [...seen];
}
