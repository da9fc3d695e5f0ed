import { byCodePoint } from '../selectors/requirement.ts';
import { JsonPathError, type Piece, type Step, type Steps, type Template } from './nodes.ts';

/** What to do about a field that is not there: `refuse` it, or take it as nothing found. */
export type MissingFields = 'refuse' | 'allow';

/** What each piece of the template found, one list a piece. */
export function evaluateTemplate(template: Template, root: unknown, missing: MissingFields): unknown[][] {
  return template.flatMap(piece => evaluatePiece(piece, root, missing));
}

function evaluatePiece(piece: Piece, root: unknown, missing: MissingFields): unknown[][] {
  switch (piece.kind) {
    case 'text':
      return [[piece.text]];
    case 'action':
      return [evaluateSteps(piece.steps, [root], missing)];
    case 'range':
      return evaluateSteps(piece.over, [root], missing).flatMap(each => evaluateTemplate(piece.body, each, missing));
  }
}

function evaluateSteps(steps: Steps, values: unknown[], missing: MissingFields): unknown[] {
  return steps.reduce<unknown[]>((found, step) => evaluateStep(step, found, missing), values);
}

function evaluateStep(step: Step, values: unknown[], missing: MissingFields): unknown[] {
  switch (step.kind) {
    case 'field':
      return fields(step.name, values, missing);
    case 'slice':
      return values.filter(isThere).flatMap(value => slice(step, value));
    case 'wildcard':
      return values.filter(isThere).flatMap(children);
    case 'recursive':
      return values.filter(isThere).flatMap(descendants);
    case 'filter':
      return values.flatMap(value => filter(step, value, missing));
    case 'union':
      return step.parts.flatMap(part => evaluateSteps(part, values, missing));
    case 'literal':
      // A text stands for itself; numbers and truths once for each value, as kubectl does.
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
    case 'word':
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
  }
}

const isThere = (value: unknown): boolean => value !== null && value !== undefined;

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fields(name: string, values: unknown[], missing: MissingFields): unknown[] {
  const found = values.filter(isMap).flatMap(value => (Object.hasOwn(value, name) ? [value[name]] : []));
  if (found.length === 0 && values.length > 0 && missing === 'refuse') throw new JsonPathError(`${name} is not found`);
  return found;
}

function slice(step: Extract<Step, { kind: 'slice' }>, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${goType(value)} is not array or slice`);
  const { length } = value;
  const first = step.from ?? 0;
  const from = first < 0 ? first + length : first;
  let to = step.to === 'next' ? first + 1 : (step.to ?? length);
  if (to < 0 || (to === 0 && step.to === 'next')) to += length;
  if (from === to) return [];
  const outside = (index: number): JsonPathError =>
    new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
  if (from >= length || from < 0) throw outside(from);
  if (to > length || to < 0) throw outside(to - 1);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  const stride = step.step ?? 1;
  if (stride <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % stride === 0);
}

/** Go walks maps in no order at all; ours is that of the keys. */
function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isMap(value)) return [];
  return Object.keys(value)
    .sort(byCodePoint)
    .map(key => value[key]);
}

/** The value and everything below it that has something below it in turn. */
function descendants(value: unknown): unknown[] {
  const below = children(value).filter(isThere);
  return children(value).length === 0 ? [] : [value, ...below.flatMap(descendants)];
}

function filter(step: Extract<Step, { kind: 'filter' }>, value: unknown, missing: MissingFields): unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${goText(value)} is not array or slice and cannot be filtered`);
  const { left, comparison } = step;
  if (comparison === undefined) return value.filter(item => exists(left, item, missing));
  return value.filter(item => {
    const lefts = single(evaluateSteps(left, [item], missing));
    if (lefts.length === 0) return false;
    const rights = single(evaluateSteps(comparison.right, [item], missing));
    return rights.length > 0 && compare(lefts[0], comparison.operator, rights[0]);
  });
}

function exists(steps: Steps, item: unknown, missing: MissingFields): boolean {
  try {
    return evaluateSteps(steps, [item], missing).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return false;
    throw error;
  }
}

function single(values: unknown[]): unknown[] {
  if (values.length > 1) throw new JsonPathError('can only compare one element at a time');
  return values;
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const comparable = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  if (!comparable(left) || !comparable(right)) throw new JsonPathError('invalid type for comparison');
  if (typeof left !== typeof right) throw new JsonPathError('incompatible types for comparison');
  const ordered = (): [string | number, string | number] => {
    if (typeof left === 'boolean') throw new JsonPathError('invalid type for comparison');
    return [left as string | number, right as string | number];
  };
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<': {
      const [a, b] = ordered();
      return a < b;
    }
    case '<=': {
      const [a, b] = ordered();
      return a <= b;
    }
    case '>': {
      const [a, b] = ordered();
      return a > b;
    }
    case '>=': {
      const [a, b] = ordered();
      return a >= b;
    }
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

/** How Go names the type of a value from JSON. */
function goType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

function goText(value: unknown): string {
  return isMap(value)
    ? `map[${Object.keys(value)
        .sort(byCodePoint)
        .map(key => `${key}:${goText(value[key])}`)
        .join(' ')}]`
    : String(value ?? '<nil>');
}
