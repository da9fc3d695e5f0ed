import { type Checked, qualifiedName } from '../check/check.ts';
import { TYPE_NAMES } from '../check/scope.ts';
import { keyText } from '../library/key-text.ts';
import type { Call, Comprehension, Expr, ListLiteral, MapLiteral, Select } from '../syntax/expr.ts';
import { OPERATOR } from '../syntax/operators.ts';
import { Failure, NO_SUCH_OVERLOAD, noSuchKey } from '../value/failure.ts';
import { ArrayList } from '../value/list.ts';
import { HashMapping, Mapping } from '../value/mapping.ts';
import { Optional } from '../value/optional.ts';
import { TypeValue } from '../value/type-value.ts';
import type { Value } from '../value/value.ts';
import { planCall } from './call.ts';
import { planFold } from './fold.ts';
import { planAnd, planConditional, planNotStrictlyFalse, planOr, planOrElse } from './lazy.ts';
import type { Meter } from './meter.ts';

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
    const run = this.#build(expr, slots);
    this.#planned.set(expr, run);
    return run;
  }

  #build(expr: Expr, slots: Slots): Run {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return () => value;
      }
      case 'ident':
        return planIdent(expr.name, slots);
      case 'select':
        return this.#select(expr, slots);
      case 'call':
        return this.#call(expr, slots);
      case 'list':
        return this.#list(expr, slots);
      case 'map':
        return this.#map(expr, slots);
      case 'comprehension':
        return planFold(expr as Comprehension, this, slots);
    }
  }

  #select(expr: Select, slots: Slots): Run {
    const typeName = qualifiedName(expr);
    if (typeName !== undefined && TYPE_NAMES.has(typeName)) return planIdent(typeName, slots);
    const operand = this.plan(expr.operand, slots);
    const { field } = expr;
    if (expr.testOnly) return planPresence(operand, field);
    return frame => {
      const target = operand(frame);
      frame.meter.charge(1);
      if (target instanceof Mapping) {
        const value = target.get(field);
        return value === undefined ? noSuchKey(field) : value;
      }
      return target instanceof Optional ? selectOptional(target, field) : selectionFailure(target);
    };
  }

  #call(expr: Call, slots: Slots): Run {
    const args = expr.args.map(argument => this.plan(argument, slots));
    switch (expr.name) {
      case OPERATOR.and:
        return planAnd(args[0]!, args[1]!);
      case OPERATOR.or:
        return planOr(args[0]!, args[1]!);
      case OPERATOR.conditional:
        return planConditional(args[0]!, args[1]!, args[2]!);
      case OPERATOR.notStrictlyFalse:
        return planNotStrictlyFalse(args[0]!);
      case OPERATOR.optionalSelect:
        return planOptionalSelect(args[0]!, expr.args[1]!);
      default:
        return this.#ordinaryCall(expr, args, slots);
    }
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
      frame.meter.charge(10);
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
        const outcome = map.insert(key, value);
        if (outcome === 'duplicate') return new Failure(`Failed with repeated key: ${keyText(key)}`);
        if (outcome === 'unsupported') return new Failure('unsupported key type');
      }
      frame.meter.charge(30);
      frame.meter.step(entries.length);
      return map;
    };
  }
}

function planIdent(name: string, slots: Slots): Run {
  const slot = slots.get(name);
  if (slot !== undefined) {
    return frame => {
      frame.meter.charge(1);
      const value = frame.slots[slot];
      return value === undefined ? new Failure(`no such attribute(s): ${name}`) : value;
    };
  }
  const type = new TypeValue(name);
  return frame => {
    frame.meter.charge(1);
    return type;
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
    frame.meter.charge(1);
    if (target instanceof Optional) return selectOptional(target, name);
    return target instanceof Mapping ? optionally(target.get(name)) : selectionFailure(target);
  };
}

function selectOptional(target: Optional, field: string): Value | Failure {
  if (target.value === undefined) return Optional.none;
  return target.value instanceof Mapping ? optionally(target.value.get(field)) : NO_SUCH_OVERLOAD;
}

const optionally = (found: Value | Failure | undefined): Value | Failure =>
  found instanceof Failure ? found : found === undefined ? Optional.none : new Optional(found);

const selectionFailure = (target: Value | Failure): Failure => (target instanceof Failure ? target : NO_SUCH_OVERLOAD);
