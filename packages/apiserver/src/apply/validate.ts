/** Whether a value can be owned field by field at all: its forms fit the schema and the items of its lists can be told apart. */
import { type Atom, formsOf, type ListType, MAP, type MapType, SCALAR, type Scalar } from './atom.ts';
import { plainText, syntaxText, typeText } from './go-text.ts';
import { isMap } from './json-value.ts';
import { itemElement, itemProblem } from './list-item.ts';
import { elementText, fieldElement, indexElement, type PathElement } from './path-element.ts';

export interface TypeProblem {
  /** As structured-merge-diff prints it: `.spec.ports[port=80]`. */
  readonly path: string;
  readonly message: string;
}

/** A value does not fit its schema. The message is structured-merge-diff's. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly problems: readonly TypeProblem[];

  /** `context` says what was being done. */
  constructor(problems: readonly TypeProblem[], context = '') {
    const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    const text = lines.length === 1 ? lines[0] : ['errors:', ...lines.map(line => `  ${line}`)].join('\n');
    super(`${context}${text}`);
    this.problems = problems;
  }
}

/** Throws TypeMismatch. Live objects may hold duplicates that an older schema allowed; applied configurations may not. */
export function validateValue(value: unknown, atom: Atom, allowDuplicates: boolean): void {
  const problems = visit(value, atom, allowDuplicates);
  if (problems !== undefined) throw new TypeMismatch(problems);
}

/** Undefined where all is well, which must cost little: every write comes through here. */
type Problems = readonly TypeProblem[] | undefined;

const problem = (message: string): Problems => [{ path: '', message }];

function visit(value: unknown, atom: Atom, allowDuplicates: boolean): Problems {
  const forms = formsOf(atom, value);
  if (forms & MAP) return visitMap(value, atom.map!, allowDuplicates);
  if (forms & SCALAR) {
    const message = scalarProblem(atom.scalar!, value);
    return message === undefined ? undefined : problem(message);
  }
  return visitList(value, atom.list!, allowDuplicates);
}

function visitMap(value: unknown, map: MapType, allowDuplicates: boolean): Problems {
  if (value === null) return undefined;
  if (!isMap(value)) return problem(`expected map, got &{${plainText(value)}}`);
  let problems: Problems;
  for (const name in value) {
    const child = value[name];
    if (child === undefined) continue;
    const atom = map.field(name);
    if (atom === undefined) return join(problems, fieldElement(name), problem('field not declared in schema'));
    problems = join(problems, fieldElement(name), visit(child, atom, allowDuplicates));
  }
  return problems;
}

function visitList(value: unknown, list: ListType, allowDuplicates: boolean): Problems {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return problem(`expected list, got &{${plainText(value)}}`);
  let problems: Problems;
  const seen = allowDuplicates || list.atomic ? undefined : new Set<PathElement>();
  for (let index = 0; index < value.length; index++) {
    if (!list.atomic) {
      const message = itemProblem(list, value[index]);
      if (message !== undefined) return [...(problems ?? []), ...problem(`element ${index}: ${message}`)!];
      if (seen !== undefined) {
        const element = itemElement(list, value[index]);
        if (seen.has(element)) {
          problems = [...(problems ?? []), ...problem(`duplicate entries for key ${elementText(element)}`)!];
        }
        seen.add(element);
      }
    }
    const below = visit(value[index], list.element, allowDuplicates);
    if (below === undefined) continue;
    problems = join(problems, list.atomic ? indexElement(index) : itemElement(list, value[index]), below);
  }
  return problems;
}

function join(problems: Problems, element: PathElement, below: Problems): Problems {
  if (below === undefined) return problems;
  const text = elementText(element);
  return [...(problems ?? []), ...below.map(({ path, message }) => ({ path: text + path, message }))];
}

function scalarProblem(scalar: Scalar, value: unknown): string | undefined {
  if (value === null) return undefined;
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${typeText(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${syntaxText(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${plainText(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${plainText(value)}}` : undefined;
  }
}
