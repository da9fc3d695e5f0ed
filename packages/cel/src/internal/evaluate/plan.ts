import { type Checked, qualifiedName } from '../check/check.ts';
import { TYPE_NAMES } from '../check/scope.ts';
import { LIST_CREATION, MAP_CREATION } from '../cost/factors.ts';
import type { Call, Expr, ListLiteral, MapLiteral, Select } from '../syntax/expr.ts';
import { OPERATOR } from '../syntax/operators.ts';
import { Failure, NO_SUCH_OVERLOAD, noSuchKey } from '../value/failure.ts';
import { ArrayList } from '../value/list.ts';
import { HashMapping, keyIdentity, Mapping } from '../value/mapping.ts';
import { Optional } from '../value/optional.ts';
import { TypeValue } from '../value/type-value.ts';
import type { Value } from '../value/value.ts';
import { planCall } from './call.ts';
import { planFold } from './fold.ts';
import { planAnd, planConditional, planNotStrictlyFalse, planOr, planOrElse } from './lazy.ts';
import { Meter } from './meter.ts';

/** What a planned expression runs on: one slot a variable, and the meter everything is charged to. */
export interface Frame {
  readonly slots: (Value | Failure | undefined)[];
  readonly meter: Meter;
}

export type Run = (frame: Frame) => Value | Failure;

/** A tree turned into functions: names are slots, overloads are looked up, nothing is decided twice. */
export interface Plan {
  readonly run: Run;
  readonly slotOf: ReadonlyMap<string, number>;
}

export function plan(checked: Checked, variables: readonly string[]): Plan {
  const slotOf = new Map(variables.map((name, index) => [name, index]));
  const planner = new Planner(checked, variables.length);
  return { run: planner.plan(checked.root, slotOf), slotOf };
}

type Slots = ReadonlyMap<string, number>;

export class Planner {
  readonly checked: Checked;
  readonly #planned = new Map<Expr, Run>();
  readonly #constants = new Map<Expr, Value>();
  #nextSlot: number;

  constructor(checked: Checked, firstSlot: number) {
    this.checked = checked;
    this.#nextSlot = firstSlot;
  }

  allocate(): number {
    return this.#nextSlot++;
  }

  plan(expr: Expr, slots: Slots): Run {
    const known = this.#planned.get(expr);
    if (known) return known;
    const run = this.#constantOr(expr, this.#build(expr, slots));
    this.#planned.set(expr, run);
    return run;
  }

  /** The value of an expression that needs no input; `undefined` for any other. */
  constantOf(expr: Expr): Value | undefined {
    return this.#constants.get(expr);
  }

  /** Literals made of literals, and conversions of them, are computed now and cost nothing later. */
  #constantOr(expr: Expr, run: Run): Run {
    if (!this.#isConstant(expr)) return run;
    const value = run({ slots: [], meter: new Meter() });
    if (value instanceof Failure) {
      if (expr.kind === 'call') throw new InstantiationProblem(value.message);
      return run;
    }
    this.#constants.set(expr, value);
    return () => value;
  }

  #isConstant(expr: Expr): boolean {
    const known = (part: Expr): boolean => this.#constants.has(part);
    switch (expr.kind) {
      case 'literal':
        return true;
      case 'list':
        return expr.elements.every(known);
      case 'map':
        return expr.entries.every(({ key, value }) => known(key) && known(value));
      case 'call':
        return expr.target === undefined && CONVERSIONS.has(expr.name) && expr.args.every(known);
      default:
        return false;
    }
  }

  #build(expr: Expr, slots: Slots): Run {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return () => value;
      }
      case 'ident':
        return planIdent(expr.name, slots, 1);
      case 'select':
        return this.#select(expr, slots, this.plan(expr.operand, slots));
      case 'call':
        return this.#call(expr, slots);
      case 'list':
        return this.#list(expr, slots);
      case 'map':
        return this.#map(expr, slots);
      case 'comprehension':
        return planFold(expr, this, slots);
    }
  }

  /** A variable or path inside a larger path (`map[path]`, `c ? path : path`): only its steps are charged. */
  #inner(expr: Expr, slots: Slots): Run {
    switch (expr.kind) {
      case 'ident':
        return planIdent(expr.name, slots, 0);
      case 'select':
        return expr.testOnly ? this.plan(expr, slots) : this.#select(expr, slots, this.#inner(expr.operand, slots));
      default:
        return this.plan(expr, slots);
    }
  }

  #select(expr: Select, slots: Slots, operand: Run): Run {
    const typeName = qualifiedName(expr);
    if (typeName !== undefined && TYPE_NAMES.has(typeName)) return planIdent(typeName, slots, 0);
    const { field } = expr;
    if (expr.testOnly) return planPresence(operand, field);
    const cost = stepCost(expr.operand);
    return frame => {
      const target = operand(frame);
      frame.meter.charge(cost);
      if (target instanceof Mapping) {
        const value = target.get(field);
        return value === undefined ? noSuchKey(field) : value;
      }
      return target instanceof Optional ? selectOptional(target, field) : selectionFailure(target);
    };
  }

  #call(expr: Call, slots: Slots): Run {
    if (expr.name === OPERATOR.index || expr.name === OPERATOR.optionalIndex) return this.#index(expr, slots);
    if (expr.name === OPERATOR.conditional) {
      const [condition, whenTrue, whenFalse] = expr.args as [Expr, Expr, Expr];
      return planConditional(this.plan(condition, slots), this.#inner(whenTrue, slots), this.#inner(whenFalse, slots));
    }
    const args = expr.args.map(argument => this.plan(argument, slots));
    switch (expr.name) {
      case OPERATOR.and:
        return planAnd(args[0]!, args[1]!);
      case OPERATOR.or:
        return planOr(args[0]!, args[1]!);
      case OPERATOR.notStrictlyFalse:
        return planNotStrictlyFalse(args[0]!);
      case OPERATOR.optionalSelect:
        return planOptionalSelect(args[0]!, expr.args[1]!);
      case OPERATOR.in: {
        const list = this.constantOf(expr.args[1]!);
        const members = list instanceof ArrayList ? planMembership(args[0]!, list) : undefined;
        return members ?? this.#ordinaryCall(expr, args, slots);
      }
      default:
        return this.#ordinaryCall(expr, args, slots);
    }
  }

  #index(expr: Call, slots: Slots): Run {
    const [operand, key] = expr.args as [Expr, Expr];
    const overloads = this.checked.overloadsOf.get(expr) ?? [];
    const extra = stepCost(operand) - 1;
    const call = planCall(overloads, [this.plan(operand, slots), this.#inner(key, slots)]);
    if (extra === 0) return call;
    return frame => {
      frame.meter.charge(extra);
      return call(frame);
    };
  }

  #ordinaryCall(expr: Call, args: readonly Run[], slots: Slots): Run {
    const overloads = this.checked.overloadsOf.get(expr) ?? [];
    const isMember = expr.target !== undefined && !this.checked.qualified.has(expr);
    if (!isMember) return planCall(overloads, args);
    const target = this.plan(expr.target!, slots);
    const isOrElse = overloads.length === 1 && (expr.name === 'or' || expr.name === 'orValue');
    return isOrElse ? planOrElse(target, args[0]!, expr.name === 'or') : planCall(overloads, [target, ...args]);
  }

  #list(expr: ListLiteral, slots: Slots): Run {
    const elements = expr.elements.map(element => this.plan(element, slots));
    return frame => {
      const values: Value[] = new Array(elements.length);
      for (let index = 0; index < elements.length; index++) {
        const value = elements[index]!(frame);
        if (value instanceof Failure) return value;
        values[index] = value;
      }
      frame.meter.charge(LIST_CREATION);
      frame.meter.step(values.length);
      return new ArrayList(values);
    };
  }

  #map(expr: MapLiteral, slots: Slots): Run {
    const entries = expr.entries.map(({ key, value }) => [this.plan(key, slots), this.plan(value, slots)] as const);
    return frame => {
      const map = new HashMapping();
      for (const [planKey, planValue] of entries) {
        const key = planKey(frame);
        if (key instanceof Failure) return key;
        const value = planValue(frame);
        if (value instanceof Failure) return value;
        if (!map.set(key, value)) return new Failure('unsupported key type');
      }
      frame.meter.charge(MAP_CREATION);
      frame.meter.step(entries.length);
      return map;
    };
  }
}

/** A conversion of a literal that can only fail, found while planning. */
export class InstantiationProblem extends Error {}

const CONVERSIONS = new Set([
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'],
]);

/** The first step away from something computed pays for what it steps from. */
function stepCost(operand: Expr): number {
  const isPath = operand.kind === 'ident' || operand.kind === 'select' || (operand.kind === 'call' && isIndex(operand));
  return isPath ? 1 : 2;
}

const isIndex = ({ name }: Call): boolean =>
  name === OPERATOR.index || name === OPERATOR.optionalIndex || name === OPERATOR.optionalSelect;

function planIdent(name: string, slots: Slots, cost: number): Run {
  const slot = slots.get(name);
  if (slot === undefined) {
    const type = new TypeValue(name);
    return () => type;
  }
  return frame => {
    frame.meter.charge(cost);
    const value = frame.slots[slot];
    return value === undefined ? new Failure(`no such attribute(s): ${name}`) : value;
  };
}

/** `x in ['a', 'b']`: one look-up, free of charge. `undefined` for lists of anything but scalars. */
function planMembership(operand: Run, list: ArrayList): Run | undefined {
  const members = new Set<string>();
  for (const element of list.elements) {
    const identity = keyIdentity(element);
    if (identity === undefined) return undefined;
    members.add(identity);
  }
  return frame => {
    const value = operand(frame);
    if (value instanceof Failure) return value;
    frame.meter.scan(typeof value === 'string' ? value.length : 1);
    const identity = keyIdentity(value);
    return identity !== undefined && members.has(identity);
  };
}

function planPresence(operand: Run, field: string): Run {
  return frame => {
    const target = operand(frame);
    if (target instanceof Optional) return target.value instanceof Mapping && isPresent(target.value.get(field));
    return target instanceof Mapping ? isPresent(target.get(field)) : selectionFailure(target);
  };
}

const isPresent = (found: Value | Failure | undefined): boolean | Failure =>
  found instanceof Failure ? found : found !== undefined;

function planOptionalSelect(operand: Run, field: Expr): Run {
  const name = field.kind === 'literal' ? String(field.value) : '';
  return frame => {
    const target = operand(frame);
    const found = optionalField(target, name);
    if (found instanceof Optional && found.value !== undefined) frame.meter.charge(1);
    return found;
  };
}

function optionalField(target: Value | Failure, name: string): Value | Failure {
  if (target instanceof Optional) return selectOptional(target, name);
  return target instanceof Mapping ? optionally(target.get(name)) : selectionFailure(target);
}

function selectOptional(target: Optional, field: string): Value | Failure {
  if (target.value === undefined) return Optional.none;
  return target.value instanceof Mapping ? optionally(target.value.get(field)) : NO_SUCH_OVERLOAD;
}

const optionally = (found: Value | Failure | undefined): Value | Failure =>
  found instanceof Failure ? found : found === undefined ? Optional.none : new Optional(found);

const selectionFailure = (target: Value | Failure): Failure => (target instanceof Failure ? target : NO_SUCH_OVERLOAD);
