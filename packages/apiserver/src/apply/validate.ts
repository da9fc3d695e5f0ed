/** Whether a value can be owned field by field at all: its forms fit the schema and the items of its lists can be told apart. */
import { type Atom, formsOf, LIST, MAP, SCALAR, type Scalar } from './atom.ts';
import { plainText, syntaxText, typeText } from './go-text.ts';
import { isMap, type JsonObject } from './json-value.ts';
import { itemElement, ListItemError } from './list-item.ts';
import { elementText, fieldElement, indexElement } from './path-element.ts';

export interface TypeProblem {
  /** As structured-merge-diff prints it: `.spec.ports[port=80]`. */
  readonly path: string;
  readonly message: string;
}

/** A value does not fit its schema. The message is structured-merge-diff's. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly problems: readonly TypeProblem[];

  constructor(problems: readonly TypeProblem[]) {
    const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(lines.length === 1 ? lines[0] : ['errors:', ...lines.map(line => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

/** Throws TypeMismatch. Live objects may hold duplicates that an older schema allowed; applied configurations may not. */
export function validateValue(value: unknown, atom: Atom, allowDuplicates: boolean): void {
  const problems: TypeProblem[] = [];
  new Validator(problems, allowDuplicates).visit(value, atom, []);
  if (problems.length > 0) throw new TypeMismatch(problems);
}

class Validator {
  readonly #problems: TypeProblem[];
  readonly #allowDuplicates: boolean;

  constructor(problems: TypeProblem[], allowDuplicates: boolean) {
    this.#problems = problems;
    this.#allowDuplicates = allowDuplicates;
  }

  /** `path` is shared and holds elements; it is turned into text only when something is wrong. */
  visit(value: unknown, atom: Atom, path: string[]): void {
    const forms = formsOf(atom, value);
    if (forms & MAP) this.#visitMap(value, atom, path);
    else if (forms & SCALAR) this.#visitScalar(value, atom.scalar!, path);
    else if (forms & LIST) this.#visitList(value, atom, path);
    else this.#report(path, 'schema error: invalid atom: inlined');
  }

  #visitScalar(value: unknown, scalar: Scalar, path: string[]): void {
    const message = scalarProblem(scalar, value);
    if (message !== undefined) this.#report(path, message);
  }

  #visitMap(value: unknown, atom: Atom, path: string[]): void {
    if (value === null) return;
    if (!isMap(value)) {
      this.#report(path, `expected map, got &{${plainText(value)}}`);
      return;
    }
    for (const name in value as JsonObject) {
      const child = value[name];
      if (child === undefined) continue;
      const field = atom.map!.field(name);
      if (field === undefined) {
        this.#report([...path, fieldElement(name)], 'field not declared in schema');
        return;
      }
      path.push(fieldElement(name));
      this.visit(child, field, path);
      path.pop();
    }
  }

  #visitList(value: unknown, atom: Atom, path: string[]): void {
    if (value === null) return;
    if (!Array.isArray(value)) {
      this.#report(path, `expected list, got &{${plainText(value)}}`);
      return;
    }
    const list = atom.list!;
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      let element = indexElement(index);
      if (!list.atomic) {
        try {
          element = itemElement(list, item);
        } catch (error) {
          if (!(error instanceof ListItemError)) throw error;
          this.#report(path, `element ${index}: ${error.message}`);
          return;
        }
        if (seen.has(element) && !this.#allowDuplicates) {
          this.#report(path, `duplicate entries for key ${elementText(element)}`);
        }
        seen.add(element);
      }
      path.push(element);
      this.visit(item, list.element, path);
      path.pop();
    }
  }

  #report(path: readonly string[], message: string): void {
    this.#problems.push({ path: path.map(elementText).join(''), message });
  }
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
