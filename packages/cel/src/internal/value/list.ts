import type { Failure } from './failure.ts';
import type { Value } from './value.ts';

/**
 * A list. Elements of lists that come from an object are converted when they are looked at, so that a rule pays only for
 * what it touches.
 */
export abstract class List {
  abstract readonly size: number;

  /** The element at `index`, which is within bounds. A failure when the data does not fit its schema. */
  abstract at(index: number): Value | Failure;

  /** How many concatenations deep an element can lie: reading one takes that many steps more. */
  readonly depth: number = 0;

  /** How `==` and `+` treat it, see {@link ListKind}. */
  get listKind(): ListKind {
    return ATOMIC;
  }
}

/**
 * `x-kubernetes-list-type`: sets and maps compare without order; `set + set` is a union, and `map + map` merges by key,
 * elements of the right side replacing those of the left.
 */
export type ListKind =
  | { readonly type: 'atomic' }
  | { readonly type: 'set' }
  | { readonly type: 'map'; readonly keys: readonly string[] };

export const ATOMIC: ListKind = { type: 'atomic' };

/** A list an expression computed. */
export class ArrayList extends List {
  readonly elements: readonly Value[];
  readonly #kind: ListKind;

  constructor(elements: readonly Value[], kind: ListKind = ATOMIC) {
    super();
    this.elements = elements;
    this.#kind = kind;
  }

  override get listKind(): ListKind {
    return this.#kind;
  }

  override get size(): number {
    return this.elements.length;
  }

  override at(index: number): Value {
    return this.elements[index]!;
  }
}

/** The accumulator of `map` and `filter`: grows in place, because no rule can hold a second reference to it. */
export class ListBuilder extends List {
  readonly #elements: Value[] = [];

  override get size(): number {
    return this.#elements.length;
  }

  override at(index: number): Value {
    return this.#elements[index]!;
  }

  push(element: Value): void {
    this.#elements.push(element);
  }

  finish(): ArrayList {
    return new ArrayList(this.#elements);
  }
}

/** `left + right` without copying: adding two lists costs one unit however long they are. */
export class ConcatenatedList extends List {
  readonly #left: List;
  readonly #right: List;
  readonly size: number;
  override readonly depth: number;

  constructor(left: List, right: List) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
    this.depth = Math.max(left.depth, right.depth) + 1;
  }

  override at(index: number): Value | Failure {
    const left = this.#left;
    return index < left.size ? left.at(index) : this.#right.at(index - left.size);
  }
}
