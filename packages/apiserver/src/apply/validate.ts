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
type Problems = TypeProblem[] | undefined;

const problem = (message: string): TypeProblem[] => [{ path: '', message }];

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
    const below = atom === undefined ? problem('field not declared in schema') : visit(child, atom, allowDuplicates);
    if (below !== undefined) problems = join(problems, fieldElement(name), below);
    if (atom === undefined) return problems;
  }
  return problems;
}

function visitList(value: unknown, list: ListType, allowDuplicates: boolean): Problems {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return problem(`expected list, got &{${plainText(value)}}`);
  let problems: Problems;
  const seen = allowDuplicates || list.atomic ? undefined : new Set<PathElement>();
  for (let index = 0; index < value.length; index++) {
    const wrong = list.atomic ? undefined : itemProblem(list, value[index]);
    if (wrong !== undefined) return join(problems, '', problem(`element ${index}: ${wrong}`));
    if (seen !== undefined) {
      const element = itemElement(list, value[index]);
      if (seen.has(element))
        problems = join(problems, '', problem(`duplicate entries for key ${elementText(element)}`));
      seen.add(element);
    }
    const below = visit(value[index], list.element, allowDuplicates);
    if (below === undefined) continue;
    problems = join(problems, list.atomic ? indexElement(index) : itemElement(list, value[index]), below);
  }
  return problems;
}

/** Adds problems that were found below an element; '' for those of the value itself. */
function join(problems: Problems, element: PathElement, below: TypeProblem[]): TypeProblem[] {
  const all = problems ?? [];
  const text = element === '' ? '' : elementText(element);
  for (const { path, message } of below) all.push({ path: text + path, message });
  return all;
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
