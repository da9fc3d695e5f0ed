import type { Meter } from '../evaluate/meter.ts';
import { parseType, splitTopLevel } from '../types/signature.ts';
import type { Type } from '../types/type.ts';
import type { Failure } from '../value/failure.ts';
import type { Value } from '../value/value.ts';

/** One way to call a function. A receiver is the first argument of a member overload. */
export interface Overload {
  /** The name Kubernetes knows it by; costs are looked up under it. */
  readonly id: string;
  readonly name: string;
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** The type variables of a generic signature. */
  readonly variables: readonly string[];
  readonly call: Implementation;
}

/** Called with as many arguments as declared, each of the declared type. */
export type Implementation = (args: never, meter: Meter) => Value | Failure;

/** `define('size', 'size_list', '(list(A)): int', …)`; a leading dot makes it a member: `'.(list(A)): int'`. */
export function define(name: string, id: string, signature: string, call: Implementation): Overload {
  const close = signature.lastIndexOf('): ');
  const member = signature.startsWith('.');
  const args = splitTopLevel(signature.slice(member ? 2 : 1, close)).map(parseType);
  const result = parseType(signature.slice(close + 3));
  const variables = [...new Set(signature.match(/\b[A-Z]\b/g))];
  return { id, name, member, args, result, variables, call };
}
