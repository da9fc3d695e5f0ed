/** Bounds and multiples of numbers. Whole numbers are compared as Go's int64, others as float64, which shows in the words. */
import { goFloat } from './go-text.ts';
import type { Plan } from './plan.ts';

/** Kubernetes has two sorts of complaint here: about the field, and (`general`) about no field in particular. */
export interface NumberProblem {
  readonly general: boolean;
  /** With `<path>` where the path goes. */
  readonly words: (path: string) => string;
  readonly badValue: number | string;
}

/** Whether any of the checks below fails, without the words. */
export function violatesNumber(value: number, plan: Plan): boolean {
  const { minimum, maximum, multipleOf } = plan.schema;
  const isPlain = plan.types[0] !== 'integer' || plan.types.length > 1;
  if (
    minimum === undefined &&
    maximum === undefined &&
    multipleOf === undefined &&
    isPlain &&
    plan.format !== 'float'
  ) {
    return false;
  }
  return numberProblems(value, plan).length > 0;
}

export function numberProblems(value: number, plan: Plan): NumberProblem[] {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = plan.schema;
  const problems: NumberProblem[] = [];
  outOfRange(value, 'Checked', plan, problems);
  if (multipleOf !== undefined) {
    const whole = !outOfRange(multipleOf, 'MultipleOf', plan, problems) && Number.isInteger(value);
    const factor = whole ? Math.trunc(multipleOf) : multipleOf;
    if (factor <= 0) {
      problems.push({
        general: false,
        badValue: factor,
        words: path => `factor MultipleOf declared for ${path} must be positive: ${goFloat(factor)}`,
      });
    } else if (!isMultiple(value, factor, whole)) {
      problems.push(complaint(value, `should be a multiple of ${boundText(value, factor)}`));
    }
  }
  if (minimum !== undefined) {
    const whole = !outOfRange(minimum, 'Minimum boundary', plan, problems) && Number.isInteger(value);
    const bound = whole ? Math.trunc(minimum) : minimum;
    if (exclusiveMinimum ? value <= bound : value < bound) {
      problems.push(
        complaint(value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${boundText(value, bound)}`),
      );
    }
  }
  if (maximum !== undefined) {
    const whole = !outOfRange(maximum, 'Maximum boundary', plan, problems) && Number.isInteger(value);
    const bound = whole ? Math.trunc(maximum) : maximum;
    if (exclusiveMaximum ? value >= bound : value > bound) {
      problems.push(
        complaint(value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${boundText(value, bound)}`),
      );
    }
  }
  return problems;
}

const complaint = (value: number, words: string): NumberProblem => ({
  general: false,
  badValue: value,
  words: path => `${path} in body ${words}`,
});

function isMultiple(value: number, factor: number, whole: boolean): boolean {
  if (whole) return value % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  // Decimal fractions are not exact in binary: a quotient this close to a whole number is one.
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Adds a complaint and says true when the number does not fit the schema's numeric type and format. */
function outOfRange(value: number, what: string, plan: Plan, problems: NumberProblem[]): boolean {
  const type = plan.types.length === 1 ? plan.types[0]! : '';
  if (fitsNumericType(value, type, plan.format)) return false;
  const format = plan.format === '' ? '(default format)' : `with format ${plan.format}`;
  problems.push({
    general: true,
    badValue: '',
    words: path => `${what} value must be of type ${type} ${format} in ${path}`,
  });
  return true;
}

function fitsNumericType(value: number, type: string, format: string): boolean {
  if (type === 'integer') {
    if (!Number.isInteger(value)) return false;
    return format === 'int32' ? value === (value | 0) : value >= -(2 ** 63) && value < 2 ** 63;
  }
  return !(type === 'number' && format === 'float') || Math.abs(value) <= 3.4028235677973366e38;
}

/** Kubernetes compares whole numbers as such and prints the bound as one; else it is a float64. */
function boundText(value: number, bound: number): string {
  return Number.isInteger(value) && Number.isInteger(bound) ? BigInt(bound).toString() : goFloat(bound);
}
