import { DYN, listOf, mapOf, opaque, sameType, type Type, typeOf } from './type.ts';

/**
 * What is known about type variables, and whether one type may stand where another is asked for. `dyn` fits everywhere,
 * `null` fits where a message, time or opaque value is asked for.
 */
export class Substitution {
  readonly #bound = new Map<string, Type>();
  /** What to restore when an attempt fails: a failed overload must leave no trace. */
  #trail: { readonly name: string; readonly previous: Type | undefined }[] | undefined;

  /** Whether all of `given` fit `wanted`, position by position; variables are bound only if they do. */
  assignable(given: readonly Type[], wanted: readonly Type[]): boolean {
    if (given.length !== wanted.length) return false;
    this.#trail = [];
    const fits = given.every((type, index) => this.#fits(type, wanted[index]!));
    if (!fits) for (const { name, previous } of this.#trail.reverse()) this.#restore(name, previous);
    this.#trail = undefined;
    return fits;
  }

  /** `type` with its variables replaced by what they are bound to; unbound ones become `dyn` if `free` says so. */
  resolve(type: Type, free: 'keep' | 'dyn'): Type {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound) return this.resolve(bound, free);
      return free === 'dyn' ? DYN : type;
    }
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map(parameter => this.resolve(parameter, free));
    switch (type.kind) {
      case 'list':
        return listOf(parameters[0]!);
      case 'map':
        return mapOf(parameters[0]!, parameters[1]!);
      case 'type':
        return typeOf(parameters[0]!);
      default:
        return opaque(type.name, ...parameters);
    }
  }

  #restore(name: string, previous: Type | undefined): void {
    if (previous) this.#bound.set(name, previous);
    else this.#bound.delete(name);
  }

  #bind(variable: Type, type: Type): void {
    this.#trail?.push({ name: variable.name, previous: this.#bound.get(variable.name) });
    this.#bound.set(variable.name, type);
  }

  #fits(given: Type, wanted: Type): boolean {
    if (wanted.kind === 'param') {
      const outcome = this.#substitutes(given, wanted);
      if (outcome !== 'free') return outcome === 'yes';
    }
    if (given.kind === 'param') return this.#substitutes(wanted, given) === 'yes';
    if (isWild(given) || isWild(wanted)) return true;
    if (given.kind === 'null') return isNullable(wanted);
    if (wanted.kind === 'null') return isNullable(given);
    switch (given.kind) {
      case 'type':
        return wanted.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return (
          given.kind === wanted.kind &&
          given.name === wanted.name &&
          given.parameters.length === wanted.parameters.length &&
          given.parameters.every((parameter, index) => this.#fits(parameter, wanted.parameters[index]!))
        );
      default:
        return given.kind === wanted.kind && given.name === wanted.name;
    }
  }

  /** Whether `variable` stands, or can be made to stand, for `type`. `free`: unbound, and binding would be circular. */
  #substitutes(type: Type, variable: Type): 'yes' | 'no' | 'free' {
    if (sameType(type, variable)) return 'yes';
    const bound = this.#bound.get(variable.name);
    if (bound) {
      if (sameType(type, bound)) return 'yes';
      if (!this.#fits(type, bound)) return 'no';
      const general = moreGeneral(type, bound);
      if (!this.#occurs(variable, general)) this.#bind(variable, general);
      return 'yes';
    }
    if (this.#occurs(variable, type)) return 'free';
    this.#bind(variable, type);
    return 'yes';
  }

  #occurs(variable: Type, type: Type): boolean {
    if (sameType(variable, type)) return true;
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#occurs(variable, bound);
    }
    return type.parameters.some(parameter => this.#occurs(variable, parameter));
  }
}

const isWild = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error';

function isNullable(type: Type): boolean {
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return false;
  }
}

/** The wider of two types that are known to fit each other. */
export function moreGeneral(left: Type, right: Type): Type {
  return isSameOrWider(left, right) ? left : right;
}

function isSameOrWider(left: Type, right: Type): boolean {
  if (left.kind === 'dyn' || left.kind === 'param') return true;
  if (right.kind === 'dyn' || right.kind === 'param' || left.kind !== right.kind) return false;
  if (left.kind === 'type') return true;
  if (left.parameters.length === 0) return sameType(left, right);
  return (
    left.name === right.name &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((parameter, index) => isSameOrWider(parameter, right.parameters[index]!))
  );
}
