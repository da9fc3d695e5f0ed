import type { Checked } from '../check/check.ts';
import type { Declared } from '../schema/declared.ts';
import {
  type Call,
  type Comprehension,
  type Expr,
  isBind,
  type ListLiteral,
  type MapLiteral,
  type Select,
} from '../syntax/expr.ts';
import { isOptional, type Type } from '../types/type.ts';
import { codePointLength } from '../value/kind.ts';
import { type Amount, add, exactly, LIMITLESS, multiply, NOTHING, UNKNOWN, union } from './amount.ts';
import { type CallEstimate, type CostNode, estimateCall } from './estimate-call.ts';
import { LIST_CREATION, MAP_CREATION } from './factors.ts';

/**
 * The most an evaluation can cost when every list, map and string is as long as its schema allows. Follows Kubernetes'
 * estimator step by step, oddities included: the figure decides whether a CRD is accepted.
 */
export function estimateCost(checked: Checked, self: Declared): number {
  return new Estimator(checked, self).cost(checked.root).max;
}

/** Where in the schema a value comes from: a variable, then field names, `@items`, `@keys`, `@values`. */
type Path = readonly string[];

/** How long the elements of a list or the entries of a map are. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Amount;
  readonly value: Amount;
}

interface LocalVariable {
  readonly path: Path;
  readonly size: Amount | undefined;
  readonly entrySize: EntrySize | undefined;
}

class Estimator {
  readonly #checked: Checked;
  readonly #self: Declared;
  readonly #costs = new Map<Expr, Amount>();
  readonly #paths = new Map<Expr, Path>();
  readonly #sizes = new Map<Expr, Amount>();
  readonly #entrySizes = new Map<Expr, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: Checked, self: Declared) {
    this.#checked = checked;
    this.#self = self;
  }

  cost(expr: Expr): Amount {
    const known = this.#costs.get(expr);
    if (known) return known;
    const cost = this.#costOf(expr);
    this.#costs.set(expr, cost);
    return cost;
  }

  #costOf(expr: Expr): Amount {
    switch (expr.kind) {
      case 'literal':
        return NOTHING;
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return exactly(1);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return isBind(expr) ? this.#bind(expr) : this.#fold(expr);
    }
  }

  #select(expr: Select): Amount {
    // The parts of a type's name (`google.protobuf.Timestamp`) have no type of their own.
    if (!this.#checked.typeOf.has(expr.operand)) {
      this.#paths.set(expr, [expr.field]);
      return exactly(1);
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#type(expr.operand);
    return kind === 'map' || kind === 'struct' ? add(operand, exactly(1)) : operand;
  }

  #call(expr: Call): Amount {
    if (expr.name === 'dyn' && expr.target === undefined) return this.#dyn(expr);
    const argumentCosts = expr.args.map(argument => this.cost(argument));
    const args = expr.args.map(argument => this.#node(argument));
    const overloads = this.#checked.overloadsOf.get(expr) ?? [];
    const isMember = expr.target !== undefined && !this.#checked.qualified.has(expr);
    const targetCost = isMember ? this.cost(expr.target!) : NOTHING;
    const target = isMember ? this.#node(expr.target!) : undefined;
    const name = this.#checked.qualified.get(expr) ?? expr.name;
    let total: Amount = { min: LIMITLESS, max: 0 };
    let size: Amount | undefined;
    for (const { id } of overloads) {
      const estimate = this.#overload(expr, name, id, target, args, argumentCosts);
      total = union(total, estimate.cost);
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
      if (id === 'index_list' || id === 'index_map') {
        size = this.#entrySize(expr.args[0]!)?.value;
        this.#paths.set(expr, [...this.#path(expr.args[0]!), id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(expr);
    }
    if (size) this.#sizes.set(expr, size);
    return overloads.length === 0 ? NOTHING : add(targetCost, total);
  }

  /** `dyn(x)` is a note to the type checker: its size is that of `x`. */
  #dyn(expr: Call): Amount {
    const argument = expr.args[0]!;
    const cost = this.cost(argument);
    this.#copySizes(expr, argument);
    return add(exactly(1), cost);
  }

  #overload(
    expr: Call,
    name: string,
    id: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    argumentCosts: readonly Amount[],
  ): CallEstimate {
    switch (id) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: argumentCosts[0]!.min, max: add(...argumentCosts).max } };
      case 'conditional': {
        this.#setEntrySize(expr, unionEntries(this.#entrySize(expr.args[1]!), this.#entrySize(expr.args[2]!)));
        const cost = add(argumentCosts[0]!, union(argumentCosts[1]!, argumentCosts[2]!));
        return { cost, size: union(args[1]!.size ?? UNKNOWN, args[2]!.size ?? UNKNOWN) };
      }
      case 'add_list':
      case 'add_string':
      case 'add_bytes':
        this.#setEntrySize(expr, unionEntries(this.#entrySize(expr.args[0]!), this.#entrySize(expr.args[1]!)));
    }
    const estimate = estimateCall(name, id, target, args, path => this.#schemaSize(path));
    const cost = add(estimate.cost, ...argumentCosts);
    return estimate.size ? { cost, size: estimate.size } : { cost };
  }

  #list(expr: ListLiteral): Amount {
    const costs = expr.elements.map(element => this.cost(element));
    this.#setEntrySize(expr, { container: 'list', key: exactly(1), value: this.#widest(expr.elements) });
    return add(...costs, exactly(LIST_CREATION));
  }

  #map(expr: MapLiteral): Amount {
    const costs = expr.entries.map(({ key, value }) => add(this.cost(key), this.cost(value)));
    this.#setEntrySize(expr, {
      container: 'map',
      key: this.#widest(expr.entries.map(({ key }) => key)),
      value: this.#widest(expr.entries.map(({ value }) => value)),
    });
    return add(...costs, exactly(MAP_CREATION));
  }

  #widest(exprs: readonly Expr[]): Amount {
    if (exprs.length === 0) return NOTHING;
    return exprs.map(expr => this.#sizeOrUnknown(expr)).reduce(union);
  }

  #bind(expr: Comprehension): Amount {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entrySize: this.#entrySize(expr.init),
    });
    const result = this.cost(expr.result);
    this.#copySizes(expr, expr.result);
    this.#pop(expr.accumulator);
    return add(before, result);
  }

  #fold(expr: Comprehension): Amount {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entrySize: this.#entrySize(expr.init),
    });
    this.#pushIteration(expr);
    const iteration = add(this.cost(expr.condition), this.cost(expr.step));
    const stepEntry = this.#entrySize(expr.step);
    this.#pop(expr.variable);
    if (expr.variable2 !== undefined) this.#pop(expr.variable2);
    const after = this.cost(expr.result);
    this.#pop(expr.accumulator);
    const count = this.#sizeOrUnknown(expr.range);
    if (expr.init.kind === 'literal') this.#setSize(expr, this.#size(expr.init));
    else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr, count);
      this.#setEntrySize(expr, stepEntry);
    }
    return add(before, after, multiply(count, iteration));
  }

  #pushIteration(expr: Comprehension): void {
    const entry = this.#entrySize(expr.range);
    const path = this.#path(expr.range);
    const isList = (entry?.container ?? this.#type(expr.range).kind) === 'list';
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entry?.key, entrySize: undefined };
    const value = { path: [...path, isList ? '@items' : '@values'], size: entry?.value, entrySize: undefined };
    if (expr.variable2 === undefined) {
      this.#push(expr.variable, isList ? value : key);
    } else {
      this.#push(expr.variable, key);
      this.#push(expr.variable2, value);
    }
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(variable);
    else this.#locals.set(name, [variable]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #node(expr: Expr): CostNode {
    const path = this.#path(expr);
    const size = this.#size(expr);
    const node = { path, type: this.#type(expr), expr };
    return size ? { ...node, size } : node;
  }

  #type(expr: Expr): Type {
    return this.#checked.typeOf.get(expr)!;
  }

  #path(expr: Expr): Path {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #size(expr: Expr): Amount | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known) return known;
    const bySchema = this.#schemaSize(this.#path(expr));
    if (bySchema) {
      this.#sizes.set(expr, bySchema);
      return bySchema;
    }
    if (isScalar(this.#type(expr))) return exactly(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #sizeOrUnknown(expr: Expr): Amount {
    return this.#size(expr) ?? UNKNOWN;
  }

  #setSize(expr: Expr, size: Amount | undefined): void {
    if (size) this.#sizes.set(expr, size);
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    const known = this.#entrySizes.get(expr);
    return known ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entrySize : undefined);
  }

  #setEntrySize(expr: Expr, size: EntrySize | undefined): void {
    if (size) this.#entrySizes.set(expr, size);
  }

  #copySizes(to: Expr, from: Expr): void {
    this.#setSize(to, this.#size(from));
    this.#setEntrySize(to, this.#entrySize(from));
  }

  /** The limit the schema sets at `path`. The first step, the variable, is always taken to be `self`. */
  #schemaSize(path: Path): Amount | undefined {
    if (path.length === 0) return undefined;
    let node: Declared | undefined = this.#self;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') node = node.element;
      else if (step === '@keys') return node.data === 'map' ? NOTHING : undefined;
      else node = node.fields?.get(step);
      if (!node) return undefined;
    }
    return { min: 0, max: node.maxElements };
  }
}

function unionEntries(left: EntrySize | undefined, right: EntrySize | undefined): EntrySize | undefined {
  if (!left || !right) return undefined;
  return { container: left.container, key: union(left.key, right.key), value: union(left.value, right.value) };
}

function literalSize(expr: Expr): Amount | undefined {
  switch (expr.kind) {
    case 'literal':
      if (typeof expr.value === 'string') return exactly(codePointLength(expr.value));
      return exactly(expr.value instanceof Uint8Array ? expr.value.length : 1);
    case 'list':
      return exactly(expr.elements.length);
    case 'map':
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: Type): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default:
      return isOptional(type) && isScalar(type.parameters[0]!);
  }
}
