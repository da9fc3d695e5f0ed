import { callCost, failedCallCost } from '../cost/actual.ts';
import type { Overload } from '../library/overload.ts';
import { OPERATOR } from '../syntax/operators.ts';
import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { matches } from '../value/kind.ts';
import { Optional } from '../value/optional.ts';
import type { Value } from '../value/value.ts';
import type { Run } from './plan.ts';

/** Evaluates all arguments, picks the overload that fits them, charges for it. A failed argument is charged as well. */
export function planCall(overloads: readonly Overload[], args: readonly Run[]): Run {
  const name = overloads[0]?.name ?? '';
  const isOptionalIndex = name === OPERATOR.optionalIndex;
  const isNamed = overloads.length > 1 && /^\w/.test(name) && !name.startsWith('_');
  const noneFits = isNamed ? new Failure(`no such overload: ${name}`) : NO_SUCH_OVERLOAD;
  return frame => {
    const values: Value[] = new Array(args.length);
    let failure: Failure | undefined;
    for (let index = 0; index < args.length; index++) {
      const value = args[index]!(frame);
      if (value instanceof Failure) failure ??= value;
      else values[index] = value;
    }
    const overload = failure ? undefined : choose(overloads, values);
    if (!overload) {
      frame.meter.charge(failedCallCost(name, values));
      return failure ?? noneFits;
    }
    const result = overload.call(values as never, frame.meter);
    const isAbsent = isOptionalIndex && result instanceof Optional && result.value === undefined;
    if (!isAbsent) frame.meter.charge(callCost(overload, values, result, frame.meter));
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
