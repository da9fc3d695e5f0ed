/** JSON types against the schema's, with the words of Kubernetes' validator. */
import type { Json } from '@capstan/kube';
import type { Plan } from './plan.ts';

export interface TypeProblem {
  readonly wanted: string;
  readonly found: string;
}

/** The JSON type of a value; a number without a fraction is an integer. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** What is wrong with the type; undefined when nothing is. */
export function typeProblem(value: Json, plan: Plan): TypeProblem | undefined {
  const { types, format } = plan;
  if (types.length === 0 && format === '') return undefined;
  if (value === null) {
    return types.length === 0 || plan.schema.nullable ? undefined : { wanted: types.join(','), found: 'null' };
  }
  const found = typeOf(value);
  if (types.includes(found)) return undefined;
  if (found === 'integer' && types.includes('number')) return undefined;
  if (format !== '') {
    const isText = found === 'string' || found === 'array';
    // The found format, not the found type, is reported here: int64 and float64 are what Go decodes numbers to.
    if (!isText) return { wanted: format, found: found === 'integer' ? 'int64' : found === 'number' ? 'float64' : '' };
    // A format alone accepts any text, and (a peculiarity that is part of the API by now) any list.
    if (!types.includes('number') && !types.includes('integer')) return undefined;
  }
  return { wanted: types.join(','), found };
}
