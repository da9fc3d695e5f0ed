import { validateLabelKey, validateLabelValue } from '../names.ts';

/** One condition of a label selector, e.g. `app in (a,b)`. */
export interface Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** One for `=`, `==`, `!=`, `gt`, `lt`; none for `exists` and `!`. */
  readonly values: readonly string[];
}

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** The selector cannot be understood. The message is the one that the API server gives. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  readonly code = 'SELECTOR_INVALID';
}

/** Checks and freezes a requirement; throws a `SelectorError` that lists every problem. */
export function requirement(key: string, operator: LabelOperator, values: readonly string[]): Requirement {
  const problems = [
    ...invalid('key', key, validateLabelKey(key)),
    ...invalidCount(operator, values),
    ...values.flatMap((value, index) => invalid(`values[${index}][${key}]`, value, validateLabelValue(value))),
  ];
  if (problems.length > 0) throw new SelectorError(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`);
  return Object.freeze({ key, operator, values: Object.freeze([...values]) });
}

function invalidCount(operator: LabelOperator, values: readonly string[]): string[] {
  const refuse = (detail: string): string[] => [`values: Invalid value: ${JSON.stringify(values)}: ${detail}`];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length > 0 ? [] : refuse("for 'in', 'notin' operators, values set can't be empty");
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : refuse('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : refuse('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : refuse("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap((value, index) =>
          integer(value) === undefined
            ? invalid(`values[${index}]`, value, ["for 'Gt', 'Lt' operators, the value must be an integer"])
            : [],
        ),
      ];
  }
}

/** A problem in the API server's form: `field: Invalid value: "x": why`. */
export function invalid(field: string, value: string, problems: readonly string[]): string[] {
  return problems.length === 0 ? [] : [`${field}: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`];
}

export type Labels = Readonly<Record<string, string>>;

export function meets(labels: Labels, { key, operator, values }: Requirement): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    // An object without the label is not "equal", so it is selected.
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt': {
      const have = value === undefined ? undefined : integer(value);
      const bound = integer(values[0]!);
      if (have === undefined || bound === undefined) return false;
      return operator === 'gt' ? have > bound : have < bound;
    }
  }
}

/** A whole number within 64 bits, as Go's ParseInt reads it. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const OPERATOR_TEXT = { '=': '=', '==': '==', '!=': '!=', in: ' in ', notin: ' notin ', gt: '>', lt: '<' } as const;

export function requirementText({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const list = values.toSorted(byCodePoint).join(',');
  return key + OPERATOR_TEXT[operator] + (operator === 'in' || operator === 'notin' ? `(${list})` : list);
}

/** Sorts as Go does, by bytes of UTF-8, which is the order of code points. */
export function byCodePoint(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
