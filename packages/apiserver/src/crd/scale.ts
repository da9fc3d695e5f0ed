/** The fields that the scale subresource reads must hold what it can serve. */

import { type FieldError, invalidValue } from '../field-error.ts';
import { goKind } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { pathSegments } from './simple-path.ts';
import type { CrdSubresources } from './types.ts';

type Scale = NonNullable<CrdSubresources['scale']>;

const MAX_INT32 = 2 ** 31 - 1;

export function scaleSpecErrors(object: unknown, scale: Scale): FieldError[] {
  return replicaErrors(object, scale.specReplicasPath);
}

export function scaleStatusErrors(object: unknown, scale: Scale): FieldError[] {
  const errors = replicaErrors(object, scale.statusReplicasPath);
  const path = scale.labelSelectorPath;
  if (!path) return errors;
  const selector = nested(object, path, 'string');
  return 'problem' in selector ? [...errors, invalidValue(path, '', selector.problem)] : errors;
}

function replicaErrors(object: unknown, path: string): FieldError[] {
  const found = nested(object, path, 'int64');
  if ('problem' in found) return [invalidValue(path, 0, found.problem)];
  const replicas = (found.value ?? 0) as number;
  if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
  if (replicas > MAX_INT32) return [invalidValue(path, replicas, `should be less than or equal to ${MAX_INT32}`)];
  return [];
}

/** The value at a path, or what Kubernetes' accessor says about a wrong type on the way or at its end. */
function nested(object: unknown, path: string, wanted: 'int64' | 'string'): { value: unknown } | { problem: string } {
  const segments = pathSegments(path);
  let value: unknown = object;
  for (const [index, segment] of segments.entries()) {
    if (!isObject(value)) {
      const way = segments
        .slice(0, index)
        .map(part => `.${part}`)
        .join('');
      const found = `${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`;
      return { problem: `${way} accessor error: ${found}` };
    }
    if (!Object.hasOwn(value, segment)) return { value: undefined };
    value = (value as JsonObject)[segment];
  }
  if (goType(value) === wanted) return { value };
  const way = segments.map(part => `.${part}`).join('');
  return { problem: `${way} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}` };
}

const goText = (value: unknown): string => (value === null ? '<nil>' : String(value));

function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'object' ? 'map[string]interface {}' : goKind(value as string | boolean);
}
