import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { Optional } from '../value/optional.ts';
import type { Run } from './plan.ts';

/** `false && anything` is false, whichever side is the false one and even if the other fails. */
export function planAnd(left: Run, right: Run): Run {
  return frame => {
    const first = left(frame);
    if (first === false) return false;
    const second = right(frame);
    if (second === false) return false;
    if (first === true && second === true) return true;
    return firstFailure(first, second);
  };
}

export function planOr(left: Run, right: Run): Run {
  return frame => {
    const first = left(frame);
    if (first === true) return true;
    const second = right(frame);
    if (second === true) return true;
    if (first === false && second === false) return false;
    return firstFailure(first, second);
  };
}

function firstFailure(...operands: readonly ReturnType<Run>[]): Failure {
  return operands.find(operand => operand instanceof Failure) ?? NO_SUCH_OVERLOAD;
}

export function planConditional(condition: Run, whenTrue: Run, whenFalse: Run): Run {
  return frame => {
    const chosen = condition(frame);
    if (chosen === true) return whenTrue(frame);
    if (chosen === false) return whenFalse(frame);
    return chosen instanceof Failure ? chosen : NO_SUCH_OVERLOAD;
  };
}

/** The condition of `all` and `exists`: go on unless the outcome is certain. A failure is not certain. */
export function planNotStrictlyFalse(operand: Run): Run {
  return frame => {
    frame.meter.charge(1);
    return operand(frame) !== false;
  };
}

/** `optional.or(other)` and `optional.orValue(other)`: `other` is evaluated only if there is no value. */
export function planOrElse(target: Run, other: Run, staysOptional: boolean): Run {
  return frame => {
    const optional = target(frame);
    if (optional instanceof Failure) return optional;
    if (!(optional instanceof Optional)) return NO_SUCH_OVERLOAD;
    if (optional.value === undefined) return other(frame);
    return staysOptional ? optional : optional.value;
  };
}
