import { functions } from '../library/index.ts';
import type { Overload } from '../library/overload.ts';
import { escapeName, isKeyword } from '../schema/names.ts';
import type { Call, Comprehension, Expr, ListLiteral, LiteralValue, MapLiteral, Select } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import { OPERATOR } from '../syntax/operators.ts';
import * as types from '../types/type.ts';
import { formatType, isOptional, sameType, type Type } from '../types/type.ts';
import { moreGeneral, Substitution } from '../types/unify.ts';
import { Duration, Timestamp } from '../value/time.ts';
import { Uint } from '../value/uint.ts';
import { Scope, TYPE_NAMES } from './scope.ts';

/** A tree whose every node has a type and whose every call is resolved. */
export interface Checked {
  readonly root: Expr;
  readonly typeOf: ReadonlyMap<Expr, Type>;
  /** The overloads a call may turn out to mean: more than one only where an argument is `dyn`. */
  readonly overloadsOf: ReadonlyMap<Expr, readonly Overload[]>;
  /** Calls of a function in a namespace (`ip.isCanonical(x)`): the target is part of the name. */
  readonly qualified: ReadonlyMap<Expr, string>;
  /** Variables of the environment the expression refers to. */
  readonly references: ReadonlySet<string>;
}

export type CheckResult = { readonly checked: Checked } | { readonly issues: readonly Issue[] };

/** Finds the type of every node; complains in Kubernetes' words about what does not fit. */
export function check(root: Expr, variables: ReadonlyMap<string, Type>): CheckResult {
  const checker = new Checker(new Scope(variables));
  checker.check(root);
  if (checker.issues.length > 0) return { issues: checker.issues };
  return { checked: checker.finish(root) };
}

/** Generic literals can double a type at every level; no type a person writes comes near this. */
const MAX_TYPE_SIZE = 1000;

/** One mistake can show in many places; nobody reads more. */
const MAX_ISSUES = 100;

class Checker {
  readonly issues: Issue[] = [];
  readonly #types = new Map<Expr, Type>();
  readonly #overloads = new Map<Expr, readonly Overload[]>();
  readonly #qualified = new Map<Expr, string>();
  readonly #references = new Set<string>();
  readonly #known = new Substitution();
  #scope: Scope;
  #freeVariables = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  finish(root: Expr): Checked {
    const typeOf = new Map([...this.#types].map(([node, type]) => [node, this.#known.resolve(type, 'dyn')]));
    return {
      root,
      typeOf,
      overloadsOf: this.#overloads,
      qualified: this.#qualified,
      references: this.#references,
    };
  }

  check(expr: Expr): Type {
    const known = this.#types.get(expr);
    if (known) return known;
    const type = this.#infer(expr);
    if (type.size > MAX_TYPE_SIZE) {
      this.#complain(expr, 'type of the expression is too complex');
      return this.#record(expr, types.ERROR);
    }
    return this.#record(expr, type);
  }

  #infer(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#ident(expr, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #record(expr: Expr, type: Type): Type {
    this.#types.set(expr, type);
    return type;
  }

  #complain(expr: Expr, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ offset: expr.offset, message });
  }

  #ident(expr: Expr, name: string): Type {
    const found = this.#scope.find(name);
    if (!found) {
      this.#complain(expr, `undeclared reference to '${name}' (in container '')`);
      return types.ERROR;
    }
    if (found.from === 'environment') this.#references.add(name);
    return found.type;
  }

  #select(expr: Select): Type {
    const named = typeNamed(expr);
    if (named) return named;
    const type = this.#selectField(expr, expr.operand, expr.field, false);
    return expr.testOnly ? types.BOOL : this.#known.resolve(type, 'keep');
  }

  #selectField(expr: Expr, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#known.resolve(this.check(operand), 'keep');
    const isOpt = isOptional(operandType);
    const target = isOpt ? operandType.parameters[0]! : operandType;
    const result = this.#fieldType(expr, target, field);
    return isOpt || optional ? types.optionalOf(result) : result;
  }

  #fieldType(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1]!;
      case 'struct': {
        // A property named like a keyword can be written as it is after a dot.
        const type = target.fields?.get(field) ?? target.fields?.get(escapeName(field) ?? field);
        if (type && (target.fields?.has(field) || isKeyword(field))) return type;
        this.#complain(expr, `undefined field '${field}'`);
        return types.ERROR;
      }
      case 'param':
        this.#known.assignable([types.DYN], [target]);
        return types.DYN;
      case 'dyn':
      case 'error':
        return types.DYN;
      default:
        this.#complain(expr, `type '${formatType(target)}' does not support field selection`);
        return types.DYN;
    }
  }

  #call(expr: Call): Type {
    if (expr.name === OPERATOR.optionalSelect) return this.#optionalSelect(expr);
    for (const argument of expr.args) this.check(argument);
    if (expr.target === undefined) return this.#resolve(expr, expr.name, undefined);
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${expr.name}`;
    if (qualified !== undefined && functions.has(qualified)) {
      this.#qualified.set(expr, qualified);
      return this.#resolve(expr, qualified, undefined);
    }
    this.check(expr.target);
    return this.#resolve(expr, expr.name, expr.target);
  }

  #optionalSelect(expr: Call): Type {
    const [operand, name] = expr.args;
    this.check(name!);
    const field = name?.kind === 'literal' ? String(name.value) : '';
    const type = this.#known.resolve(this.#selectField(expr, operand!, field, true), 'keep');
    this.#overloads.set(expr, functions.get(OPERATOR.optionalSelect)!);
    return type;
  }

  #resolve(expr: Call, name: string, target: Expr | undefined): Type {
    const candidates = functions.get(name);
    if (!candidates) {
      this.#complain(expr, `undeclared reference to '${name}' (in container '')`);
      return types.ERROR;
    }
    if (name === OPERATOR.and || name === OPERATOR.or) return this.#logical(expr, candidates);
    const given = (target ? [target, ...expr.args] : expr.args).map(argument => this.check(argument));
    let result: Type | undefined;
    const fitting: Overload[] = [];
    for (const overload of candidates) {
      if (overload.member !== (target !== undefined)) continue;
      const instance = this.#instantiate(overload);
      if (!this.#known.assignable(given, instance.args)) continue;
      fitting.push(overload);
      const returned = this.#known.resolve(instance.result, 'keep');
      if (result === undefined) result = returned;
      else if (result.kind !== 'dyn' && !sameType(result, returned)) result = types.DYN;
    }
    if (result === undefined) {
      const shown = given.map(type => formatType(this.#known.resolve(type, 'dyn')));
      const signature = target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
      this.#complain(expr, `found no matching overload for '${name}' applied to '${signature}'`);
      return types.ERROR;
    }
    this.#overloads.set(expr, fitting);
    return result;
  }

  #logical(expr: Call, candidates: readonly Overload[]): Type {
    let fits = true;
    for (const argument of expr.args) {
      const type = this.check(argument);
      if (this.#known.assignable([type], [types.BOOL])) continue;
      fits = false;
      this.#mismatch(argument, types.BOOL, type);
    }
    if (!fits) return types.ERROR;
    this.#overloads.set(expr, candidates);
    return types.BOOL;
  }

  #instantiate(overload: Overload): { readonly args: readonly Type[]; readonly result: Type } {
    if (overload.variables.length === 0) return overload;
    const fresh = new Substitution();
    for (const name of overload.variables) fresh.assignable([this.#freshVariable()], [types.variable(name)]);
    return {
      args: overload.args.map(type => fresh.resolve(type, 'keep')),
      result: fresh.resolve(overload.result, 'keep'),
    };
  }

  #freshVariable(): Type {
    return types.variable(`_var${this.#freeVariables++}`);
  }

  #list(expr: ListLiteral): Type {
    let element: Type | undefined;
    for (const item of expr.elements) element = this.#join(element, this.check(item));
    return types.listOf(element ?? this.#freshVariable());
  }

  #map(expr: MapLiteral): Type {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    for (const { key, value } of expr.entries) {
      keyType = this.#join(keyType, this.check(key));
      valueType = this.#join(valueType, this.check(value));
    }
    return types.mapOf(keyType ?? this.#freshVariable(), valueType ?? this.#freshVariable());
  }

  /** A literal of mixed types is a list of `dyn` here; whether that is allowed depends on where it stands. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#known.assignable([previous], [current]) ? moreGeneral(previous, current) : types.DYN;
  }

  #mismatch(expr: Expr, expected: Type, found: Type): void {
    this.#complain(expr, `expected type '${this.#show(expected)}' but found '${this.#show(found)}'`);
  }

  #show(type: Type): string {
    return formatType(this.#known.resolve(type, 'keep'));
  }

  #comprehension(expr: Comprehension): Type {
    const range = this.#known.resolve(this.check(expr.range), 'keep');
    const accumulator = this.check(expr.init);
    const outer = this.#scope;
    const withAccumulator = outer.with(expr.accumulator, accumulator);
    const [first, second] = this.#iterationTypes(expr, range);
    this.#scope = withAccumulator.with(expr.variable, first);
    if (expr.variable2 !== undefined) this.#scope = this.#scope.with(expr.variable2, second);
    this.#expect(expr.condition, types.BOOL);
    this.#expect(expr.step, accumulator);
    this.#scope = withAccumulator;
    const result = this.check(expr.result);
    this.#scope = outer;
    return this.#known.resolve(result, 'keep');
  }

  #expect(expr: Expr, wanted: Type): void {
    const type = this.check(expr);
    if (!this.#known.assignable([wanted], [type])) this.#mismatch(expr, wanted, type);
  }

  #iterationTypes(expr: Comprehension, range: Type): readonly [first: Type, second: Type] {
    const two = expr.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [types.INT, range.parameters[0]!] : [range.parameters[0]!, types.DYN];
      case 'map':
        return [range.parameters[0]!, range.parameters[1]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.#known.assignable([types.DYN], [range]);
        return [types.DYN, types.DYN];
      default: {
        const complaint = `expression of type '${formatType(range)}' cannot be range of a comprehension`;
        this.#complain(expr.range, `${complaint} (must be list, map, or dynamic)`);
        return [types.ERROR, types.ERROR];
      }
    }
  }
}

function literalType(value: LiteralValue): Type {
  switch (typeof value) {
    case 'boolean':
      return types.BOOL;
    case 'bigint':
      return types.INT;
    case 'number':
      return types.DOUBLE;
    case 'string':
      return types.STRING;
    default:
      if (value === null) return types.NULL;
      if (value instanceof Uint) return types.UINT;
      if (value instanceof Timestamp) return types.TIMESTAMP;
      return value instanceof Duration ? types.DURATION : types.BYTES;
  }
}

/** `google.protobuf.Timestamp` reads like a selection but is a name. */
function typeNamed(expr: Select): Type | undefined {
  const name = qualifiedName(expr);
  return name === undefined ? undefined : TYPE_NAMES.get(name);
}

export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
