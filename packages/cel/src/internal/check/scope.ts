import * as types from '../types/type.ts';
import { type Type, typeOf } from '../types/type.ts';

/** Names that stand for types: `type(x) == string`. Every environment has them. */
export const TYPE_NAMES: ReadonlyMap<string, Type> = new Map([
  ['bool', typeOf(types.BOOL)],
  ['int', typeOf(types.INT)],
  ['uint', typeOf(types.UINT)],
  ['double', typeOf(types.DOUBLE)],
  ['string', typeOf(types.STRING)],
  ['bytes', typeOf(types.BYTES)],
  ['null_type', typeOf(types.NULL)],
  ['list', typeOf(types.listOf(types.DYN))],
  ['map', typeOf(types.mapOf(types.DYN, types.DYN))],
  ['type', typeOf(types.DYN)],
  ['google.protobuf.Timestamp', typeOf(types.TIMESTAMP)],
  ['google.protobuf.Duration', typeOf(types.DURATION)],
  ['optional_type', typeOf(types.optionalOf(types.DYN))],
  ['net.IP', typeOf(types.opaque('net.IP'))],
  ['net.CIDR', typeOf(types.opaque('net.CIDR'))],
]);

export interface Found {
  readonly type: Type;
  readonly from: 'environment' | 'macro' | 'type name';
}

/** The names an expression can see at one place, innermost first. */
export class Scope {
  readonly #environment: ReadonlyMap<string, Type>;
  readonly #local: { readonly name: string; readonly type: Type } | undefined;
  readonly #outer: Scope | undefined;

  constructor(environment: ReadonlyMap<string, Type>, local?: { name: string; type: Type }, outer?: Scope) {
    this.#environment = environment;
    this.#local = local;
    this.#outer = outer;
  }

  with(name: string, type: Type): Scope {
    return new Scope(this.#environment, { name, type }, this);
  }

  find(name: string): Found | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      if (scope.#local?.name === name) return { type: scope.#local.type, from: 'macro' };
    }
    const variable = this.#environment.get(name);
    if (variable) return { type: variable, from: 'environment' };
    const typeName = TYPE_NAMES.get(name);
    return typeName && { type: typeName, from: 'type name' };
  }
}
