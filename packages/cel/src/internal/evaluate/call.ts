import { callCost } from '../cost/actual.ts';
import type { Overload } from '../library/overload.ts';
import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { matches } from '../value/kind.ts';
import type { Value } from '../value/value.ts';
import type { Run } from './plan.ts';

/** Evaluates all arguments, picks the overload that fits them, charges for it. */
export function planCall(overloads: readonly Overload[], args: readonly Run[]): Run {
  return frame => {
    const values: Value[] = new Array(args.length);
    for (let index = 0; index < args.length; index++) {
      const value = args[index]!(frame);
      if (value instanceof Failure) return value;
      values[index] = value;
    }
    const overload = choose(overloads, values);
    if (!overload) return NO_SUCH_OVERLOAD;
    const result = overload.call(values as never, frame.meter);
    frame.meter.charge(callCost(overload, values, result, frame.meter));
    return result;
  };
}

function choose(overloads: readonly Overload[], values: readonly Value[]): Overload | undefined {
  for (const overload of overloads) {
    let fits = true;
    for (let index = 0; index < values.length && fits; index++) fits = matches(values[index]!, overload.args[index]!);
    if (fits) return overload;
  }
  return undefined;
}
