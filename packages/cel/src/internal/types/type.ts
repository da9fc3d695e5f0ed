/**
 * CEL's static types. `dyn` disables checking, `error` stands for a part that was already complained about, `param` is a
 * type variable of a generic function or of an empty literal.
 */
export interface Type {
  readonly kind: TypeKind;
  /** Tells two structs, opaque types or variables apart, and is what errors print. */
  readonly name: string;
  readonly parameters: readonly Type[];
  /** How many types it is made of. Nested literals can double it at every level, so the checker stops at a limit. */
  readonly size: number;
  /** The fields of a struct. */
  readonly fields?: ReadonlyMap<string, Type>;
}

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'dyn'
  | 'error'
  | 'param';

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, parameters: [], size: 1 });

export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');
export const DYN = simple('dyn');
export const ERROR = simple('error', '!error!');

const composite = (kind: TypeKind, name: string, parameters: readonly Type[]): Type => ({
  kind,
  name,
  parameters,
  size: parameters.reduce((sum, parameter) => sum + parameter.size, 1),
});

export const listOf = (element: Type): Type => composite('list', 'list', [element]);
export const mapOf = (key: Type, value: Type): Type => composite('map', 'map', [key, value]);
export const typeOf = (type: Type): Type => composite('type', 'type', [type]);
export const variable = (name: string): Type => simple('param', name);
export const struct = (name: string, fields: ReadonlyMap<string, Type>): Type => ({
  kind: 'struct',
  name,
  parameters: [],
  size: 1,
  fields,
});
export const opaque = (name: string, ...parameters: Type[]): Type => composite('opaque', name, parameters);
export const optionalOf = (value: Type): Type => opaque('optional_type', value);

export const isOptional = (type: Type): boolean => type.kind === 'opaque' && type.name === 'optional_type';

/** `list(string)`, `map(string, int)`, `selfType.spec`. */
export function formatType(type: Type): string {
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

export function sameType(left: Type, right: Type): boolean {
  return (
    left === right ||
    (left.kind === right.kind &&
      left.name === right.name &&
      left.parameters.length === right.parameters.length &&
      left.parameters.every((parameter, index) => sameType(parameter, right.parameters[index]!)))
  );
}
