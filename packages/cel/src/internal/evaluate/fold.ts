import { type Comprehension, isBind } from '../syntax/expr.ts';
import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { ArrayList, List, ListBuilder } from '../value/list.ts';
import { Mapping } from '../value/mapping.ts';
import type { Value } from '../value/value.ts';
import type { Frame, Planner, Run } from './plan.ts';

type Slots = ReadonlyMap<string, number>;

/** The loop behind every macro. */
export function planFold(expr: Comprehension, planner: Planner, slots: Slots): Run {
  const range = planner.plan(expr.range, slots);
  const init = planner.plan(expr.init, slots);
  const accumulator = planner.allocate();
  const withAccumulator = new Map(slots).set(expr.accumulator, accumulator);
  const result = planner.plan(expr.result, withAccumulator);
  if (isBind(expr)) {
    return frame => {
      range(frame);
      frame.slots[accumulator] = init(frame);
      return result(frame);
    };
  }
  const first = planner.allocate();
  const second = planner.allocate();
  const inner = new Map(withAccumulator).set(expr.variable, first);
  if (expr.variable2 !== undefined) inner.set(expr.variable2, second);
  const condition = planner.plan(expr.condition, inner);
  const step = planner.plan(expr.step, inner);
  const isUnconditional = expr.condition.kind === 'literal';

  /** False when the loop is over early. */
  const iterate = (frame: Frame): boolean => {
    frame.meter.step();
    if (condition(frame) === false) return false;
    const next = step(frame);
    frame.slots[accumulator] = next;
    return !(isUnconditional && next instanceof Failure);
  };

  return frame => {
    const over = range(frame);
    if (over instanceof Failure) return over;
    frame.slots[accumulator] = growable(init(frame));
    if (over instanceof List) iterateList(over, expr.variable2 !== undefined, first, second, frame, iterate);
    else if (over instanceof Mapping) iterateMapping(over, first, second, frame, iterate);
    else return NO_SUCH_OVERLOAD;
    return finished(result(frame));
  };
}

function iterateList(
  list: List,
  indexed: boolean,
  first: number,
  second: number,
  frame: Frame,
  iterate: (frame: Frame) => boolean,
): void {
  for (let index = 0; index < list.size; index++) {
    frame.meter.step(list.depth);
    const element = list.at(index);
    frame.slots[first] = indexed ? BigInt(index) : element;
    frame.slots[second] = element;
    if (!iterate(frame)) return;
  }
}

function iterateMapping(
  mapping: Mapping,
  first: number,
  second: number,
  frame: Frame,
  iterate: (frame: Frame) => boolean,
): void {
  frame.meter.step(mapping.size / 16);
  for (const key of mapping.keys()) {
    frame.slots[first] = key;
    frame.slots[second] = mapping.get(key);
    if (!iterate(frame)) return;
  }
}

function growable(init: Value | Failure): Value | Failure {
  return init instanceof ArrayList && init.size === 0 ? new ListBuilder() : init;
}

function finished(result: Value | Failure): Value | Failure {
  return result instanceof ListBuilder ? result.finish() : result;
}
