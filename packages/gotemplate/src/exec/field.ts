/** `.Name` on a value: a method, a struct field, or a map key. */

import { quote } from '../text/quote.ts';
import type { Method } from '../value/function.ts';
import { ANY } from '../value/types.ts';
import { GoMap, GoNil, GoObject, holdsInterfaces, typeName, typeOf, type Value } from '../value/values.ts';
import type { Execution } from './execution.ts';
import { zeroOf } from './types.ts';

/** What a name on a receiver turned out to be; a method still has to be called with the command's arguments. */
export type FieldResult =
  | { readonly kind: 'value'; readonly value: Value; readonly isInterface: boolean }
  | { readonly kind: 'method'; readonly method: Method; readonly receiver: Value };

const nothing: FieldResult = { kind: 'value', value: undefined, isInterface: false };

/** Finds a name on a receiver. `isInterface` says that the receiver was read from a place of interface type. */
export function findField(
  execution: Execution,
  receiver: Value,
  isInterface: boolean,
  name: string,
  hasArguments: boolean,
): FieldResult {
  if (receiver instanceof GoMap && receiver.type.methods === undefined) {
    return mapEntry(execution, receiver, name, hasArguments);
  }
  if (receiver === undefined) {
    if (execution.surroundings.missingKey === 'error') execution.fail(`nil data; no entry for key ${quote(name)}`);
    return nothing;
  }
  const staticName = isInterface ? ANY.name : typeName(receiver);
  if (receiver === null) execution.fail(`nil pointer evaluating ${staticName}.${name}`);
  const methods = typeOf(receiver)?.methods;
  if (methods && Object.hasOwn(methods, name)) return { kind: 'method', method: methods[name]!, receiver };
  if (receiver instanceof GoMap) return mapEntry(execution, receiver, name, hasArguments);
  if (receiver instanceof GoObject) {
    const field = receiver.field(name);
    if (field) {
      if (field.hidden) execution.fail(`${name} is an unexported field of struct type ${staticName}`);
      if (hasArguments) execution.fail(`${name} has arguments but cannot be invoked as function`);
      return { kind: 'value', value: field.value, isInterface: field.value === null };
    }
  }
  if (receiver instanceof GoNil && receiver.type.elem?.fieldNames?.includes(name)) {
    execution.fail(`nil pointer evaluating ${staticName}.${name}`);
  }
  return execution.fail(`can't evaluate field ${name} in type ${staticName}`);
}

function mapEntry(execution: Execution, map: GoMap, name: string, hasArguments: boolean): FieldResult {
  if (hasArguments) execution.fail(`${name} is not a method but has arguments`);
  const value = map.get(name);
  if (value !== undefined) return { kind: 'value', value, isInterface: holdsInterfaces(map) };
  switch (execution.surroundings.missingKey) {
    case 'default':
      return nothing;
    case 'zero':
      return { kind: 'value', value: zeroOf(map.type.elem!), isInterface: holdsInterfaces(map) };
    case 'error':
      return execution.fail(`map has no entry for key ${quote(name)}`);
  }
}
