/**
 * How Kubernetes sees a definition: as a Go struct. The plans made here drive the two things that follow from it, the errors
 * of decoding (`decode-errors.ts`) and what an object looks like after a round trip (`round-trip.ts`).
 */
import type { Schema } from '../schema/schema.ts';
import { rawDefinitions } from './schema-graph.ts';

/** What a value is to Go, beyond what JSON calls it. */
export type GoShape =
  | { readonly kind: 'string' | 'boolean' | 'integer' | 'number' }
  /** Base64 in JSON. */
  | { readonly kind: 'bytes' }
  | { readonly kind: 'quantity' | 'int-or-string' | 'time' | 'micro-time' | 'duration' }
  /** In a ResourceList, whose quantities are rounded up to thousandths. */
  | { readonly kind: 'milli-quantity' }
  /** Kept as it came: `RawExtension`, `FieldsV1`, the values of JSON schemas. */
  | { readonly kind: 'opaque' }
  | { readonly kind: 'struct'; readonly definition: string }
  | { readonly kind: 'list'; readonly items: GoShape }
  | { readonly kind: 'map'; readonly values: GoShape };

export interface GoField {
  readonly name: string;
  readonly shape: GoShape;
  /** `int32`, `v1.Protocol`, `[]v1.Container`: as Go prints it, the pointer stripped. */
  readonly type: string;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** Behind a feature gate that is off, or of the past: decoded and then forgotten. */
  readonly isForgotten: boolean;
  /** Filled in by the decoder where the field is absent: `TCP` for a port's protocol. Go's zero values are no defaults. */
  readonly default: string | number | boolean | undefined;
}

export interface GoStruct {
  /** `DeploymentSpec`. */
  readonly name: string;
  readonly fields: readonly GoField[];
  readonly byName: ReadonlyMap<string, GoField>;
  /** Those that appear even if nobody set them. */
  readonly written: readonly GoField[];
}

type RawNode = Schema & { readonly $ref?: string };

const structs = new Map<string, GoStruct>();

/** The struct behind `io.k8s.api.apps.v1.DeploymentSpec`. */
export function goStruct(definition: string): GoStruct {
  const known = structs.get(definition);
  if (known !== undefined) return known;
  const fields = Object.entries(rawDefinitions()[definition]?.properties ?? {}).map(([name, node]) =>
    goField(name, node, PAST.has(`${definition}.${name}`), rawDefinitions()[definition]?.['x-go-fields']?.[name]),
  );
  const struct: GoStruct = {
    name: definition.slice(definition.lastIndexOf('.') + 1),
    fields,
    byName: new Map(fields.map(field => [field.name, field])),
    written: fields.filter(
      field => !field.isForgotten && (!field.omitEmpty || field.default !== undefined || isAlwaysWritten(field)),
    ),
  };
  structs.set(definition, struct);
  return struct;
}

/** Fields that Kubernetes still decodes and drops without a mark in their declaration. */
const PAST: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.Lifecycle.stopSignal',
  'io.k8s.api.core.v1.NodeSpec.configSource',
  'io.k8s.api.discovery.v1.Endpoint.deprecatedTopology',
]);

/** Go's `omitempty` does not apply to structs that are no pointers. */
export function isAlwaysWritten({ shape, pointer, omitZero }: GoField): boolean {
  if (pointer || omitZero) return false;
  return shape.kind === 'struct' || shape.kind === 'time' || shape.kind === 'micro-time' || shape.kind === 'quantity';
}

/** `apiVersion`, `kind` and `metadata` come from structs that every kind embeds, which the generator does not repeat. */
const EMBEDDED = new Map([
  ['apiVersion', '?string'],
  ['kind', '?string'],
  ['metadata', '?v1.ObjectMeta'],
]);

function goField(name: string, node: RawNode, isPast: boolean, encoded = EMBEDDED.get(name)): GoField {
  const [, gated, pointer, omitEmpty, omitZero, type] = /^(-?)(\*?)(\??)(!?)(.*)$/.exec(encoded ?? '?')!;
  return {
    name,
    shape: shapeOf(node, type!),
    type: type!,
    pointer: pointer !== '',
    omitEmpty: omitEmpty !== '',
    omitZero: omitZero !== '',
    isForgotten: gated !== '' || isPast,
    default: (node.default as string | number | boolean | undefined) || undefined,
  };
}

/** Definitions that are no structs. */
const SPECIAL: readonly (readonly [suffix: string, shape: GoShape])[] = [
  ['.resource.Quantity', { kind: 'quantity' }],
  ['.intstr.IntOrString', { kind: 'int-or-string' }],
  ['.meta.v1.Time', { kind: 'time' }],
  ['.meta.v1.MicroTime', { kind: 'micro-time' }],
];

function shapeOf(node: RawNode, goType: string): GoShape {
  if (node.$ref !== undefined) return shapeOfDefinition(node.$ref);
  switch (node.type) {
    case 'array':
      return { kind: 'list', items: shapeOf(node.items ?? {}, elementType(goType)) };
    case 'object':
      if (typeof node.additionalProperties !== 'object') return { kind: 'opaque' };
      if (goType === 'v1.ResourceList') return { kind: 'map', values: { kind: 'milli-quantity' } };
      return { kind: 'map', values: shapeOf(node.additionalProperties, elementType(goType)) };
    case 'string':
      if (node.format === 'byte') return { kind: 'bytes' };
      return { kind: goType === 'v1.Duration' ? 'duration' : 'string' };
    case 'boolean':
    case 'integer':
    case 'number':
      return { kind: node.type };
    default:
      return { kind: 'opaque' };
  }
}

function shapeOfDefinition(definition: string): GoShape {
  const special = SPECIAL.find(([suffix]) => definition.endsWith(suffix));
  if (special !== undefined) return special[1];
  const raw = rawDefinitions()[definition];
  if (raw?.['x-kubernetes-preserve-unknown-fields']) return { kind: 'opaque' };
  return { kind: 'struct', definition };
}

/** Of `[]v1.Container` or `map[string]string`; '' for a named type, whose elements Go alone knows. */
export function elementType(goType: string): string {
  return /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(goType)?.[1] ?? '';
}
