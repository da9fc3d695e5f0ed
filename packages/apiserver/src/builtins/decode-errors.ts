/**
 * The errors of Kubernetes' decoder. A built-in kind is read into Go structs before anything else looks at it, so a string
 * where a number belongs is no validation error (422) but a 400 in the words of Go's JSON package.
 */
import { parseQuantity, QuantityError } from '@capstan/kube';
import type { Schema } from '../schema/schema.ts';
import { elementType, type GoShape, type GoStruct, goStruct } from './go-struct.ts';
import { base64Problem, durationProblem, timeProblem } from './go-text.ts';
import { definitionOf } from './schema-graph.ts';

/**
 * What Go says about the types in a draft of a built-in kind: the first error in the order of the document, as Kubernetes
 * reports no more (`Deployment in version "v1" cannot be handled as a Deployment: …`). Empty when there is none, and for a
 * schema that is not of a built-in.
 *
 * @example
 * decodeErrors({ spec: { replicas: 'two' } }, deployment.schema);
 * // ['json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32']
 */
export function decodeErrors(draft: unknown, schema: Schema): readonly string[] {
  const definition = definitionOf(schema);
  if (definition === undefined) return [];
  const problem = structProblem(draft, definition, '', NOWHERE);
  return problem === undefined ? [] : [problem];
}

/** Where in the document the decoder is. Go's paths name fields only, neither indices nor keys of maps. */
interface Place {
  readonly struct: string;
  readonly path: string;
}

const NOWHERE: Place = { struct: '', path: '' };

function structProblem(value: unknown, definition: string, goType: string, place: Place): string | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) return mismatch(value, goType || goNameOf(definition), place);
  const struct = goStruct(definition);
  for (const name in value) {
    const problem = fieldProblem(struct, name, value[name], place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(struct: GoStruct, name: string, value: unknown, place: Place): string | undefined {
  const field = struct.byName.get(name);
  if (field === undefined || value === null) return undefined;
  const path = place.path === '' ? name : `${place.path}.${name}`;
  return problemOf(value, field.shape, field.type, { struct: struct.name, path });
}

function problemOf(value: unknown, shape: GoShape, goType: string, place: Place): string | undefined {
  if (value === null) return undefined;
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' ? undefined : mismatch(value, goType || 'string', place);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch(value, goType || 'bool', place);
    case 'integer':
      return integerProblem(value, goType || 'int64', place);
    case 'number':
      return typeof value === 'number' ? undefined : mismatch(value, goType || 'float64', place);
    case 'bytes':
      return typeof value === 'string' ? base64Problem(value) : mismatch(value, goType || '[]uint8', place);
    case 'struct':
      return structProblem(value, shape.definition, goType, place);
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, goType || '[]string', place);
      return firstProblem(value, shape.items, elementType(goType), place);
    case 'map':
      if (!isObject(value)) return mismatch(value, goType || 'map[string]string', place);
      return firstProblem(Object.values(value), shape.values, elementType(goType), place);
    case 'opaque':
      return undefined;
    default:
      return textProblem(value, shape.kind, place);
  }
}

function firstProblem(values: readonly unknown[], shape: GoShape, goType: string, place: Place): string | undefined {
  for (const value of values) {
    const problem = problemOf(value, shape, goType, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type TextKind = 'quantity' | 'milli-quantity' | 'int-or-string' | 'time' | 'micro-time' | 'duration';

/** Types with a decoder of their own, whose errors say nothing of where they happened. */
function textProblem(value: unknown, kind: TextKind, place: Place): string | undefined {
  switch (kind) {
    case 'quantity':
    case 'milli-quantity':
      return quantityProblem(value);
    case 'int-or-string':
      return typeof value === 'string' ? undefined : integerProblem(value, 'int32', place);
    default:
      if (typeof value !== 'string') return mismatch(value, 'string', place);
      return kind === 'duration' ? durationProblem(value) : timeProblem(value, kind === 'micro-time');
  }
}

function quantityProblem(value: unknown): string | undefined {
  try {
    parseQuantity(typeof value === 'number' ? value : typeof value === 'string' ? value.trim() : JSON.stringify(value));
    return undefined;
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}

const INTEGER_LIMITS: Readonly<Record<string, number>> = { int32: 2 ** 31 - 1, uint8: 255 };

function integerProblem(value: unknown, goType: string, place: Place): string | undefined {
  if (typeof value !== 'number') return mismatch(value, goType, place);
  const limit = INTEGER_LIMITS[goType] ?? 2 ** 63;
  const fits = Number.isInteger(value) && value <= limit && value >= -limit - 1;
  return fits ? undefined : unmarshalError(`number ${value}`, goType, place);
}

function mismatch(value: unknown, goType: string, place: Place): string {
  return unmarshalError(wordFor(value), goType, place);
}

function unmarshalError(found: string, goType: string, { struct, path }: Place): string {
  const target = struct === '' ? 'Go value' : `Go struct field ${struct}.${path}`;
  return `json: cannot unmarshal ${found} into ${target} of type ${goType}`;
}

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `io.k8s.api.apps.v1.Deployment` → `v1.Deployment`. */
function goNameOf(definition: string): string {
  return definition.split('.').slice(-2).join('.');
}
