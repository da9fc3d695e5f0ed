/**
 * A set of field paths. It is a FieldsV1 tree and nothing else, so what is stored is what is worked on: no decoding on a read,
 * no encoding on a write, and whatever an operation leaves alone is shared.
 *
 *   {"f:spec": {"f:replicas": {}}}             .spec.replicas
 *   {"f:spec": {".": {}, "f:replicas": {}}}    .spec and .spec.replicas
 *
 * Below the root, a node is in the set itself when it is empty or holds `.`; a node that is neither in the set nor above one
 * that is does not exist. The root stands for the whole object and is never in the set.
 */
import type { FieldsV1 } from '@capstan/kube';
import { elementText, type PathElement } from './path-element.ts';

export type FieldSet = FieldsV1;

/** A node that is in the set and has nothing below it; at the root, the empty set. */
export const LEAF: FieldSet = Object.freeze({});

export const EMPTY_SET: FieldSet = LEAF;

const SELF = '.';

export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node below the root is in the set itself. */
export function isMember(node: FieldSet): boolean {
  return SELF in node || isEmpty(node);
}

/** Whether a node below the root has others below it. */
export function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return true;
  return false;
}

/** The node that is in the set (or not) and has these children; undefined when it would not exist. */
export function makeNode(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (children === undefined || isEmpty(children)) return member ? LEAF : undefined;
  return member ? { [SELF]: LEAF, ...children } : children;
}

export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return setOfAll(paths);
}

export function setOfAll(paths: Iterable<readonly PathElement[]>): FieldSet {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const [depth, element] of path.entries()) {
      let child = node.get(element);
      if (child === undefined) node.set(element, (child = { member: false, below: new Map() }));
      child.member ||= depth === path.length - 1;
      node = child.below;
    }
  }
  return finish(root) ?? EMPTY_SET;
}

/** A set that is still being put together. */
type Tree = Map<PathElement, { member: boolean; readonly below: Tree }>;

function finish(tree: Tree): FieldSet | undefined {
  if (tree.size === 0) return undefined;
  return Object.fromEntries(
    [...tree].map(([element, { member, below }]) => [element, makeNode(member, finish(below))!]),
  );
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) if ((node = node[element]) === undefined) return false;
  return path.length > 0 && isMember(node);
}

/** Paths that are in either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  return isEmpty(a) ? b : unionChildren(a, b);
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmpty(a)) return isMember(b) ? b : { [SELF]: LEAF, ...b };
  if (isEmpty(b)) return SELF in a ? a : { [SELF]: LEAF, ...a };
  return unionChildren(a, b);
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  let out: Record<PathElement, FieldSet> | undefined;
  for (const element in b) {
    const theirs = b[element]!;
    const ours = a[element];
    const merged = ours === undefined || element === SELF ? theirs : unionNodes(ours, theirs);
    if (merged === ours || (ours !== undefined && element === SELF)) continue;
    out ??= { ...a };
    out[element] = merged;
  }
  return out ?? a;
}

/** Paths that are in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return commonChildren(a, b) ?? EMPTY_SET;
}

function commonChildren(a: FieldSet, b: FieldSet): FieldSet | undefined {
  let out: Record<PathElement, FieldSet> | undefined;
  for (const element in a) {
    if (element === SELF) continue;
    const theirs = b[element];
    if (theirs === undefined) continue;
    const ours = a[element]!;
    const common = makeNode(isMember(ours) && isMember(theirs), commonChildren(ours, theirs));
    if (common === undefined) continue;
    out ??= {};
    out[element] = common;
  }
  return out;
}

/** Paths of `a` that are not in `b`. Taking a path away leaves what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, false);
}

/** Like `difference`, but a path takes everything below it along. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, true);
}

function without(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  let changed: Map<PathElement, FieldSet | undefined> | undefined;
  for (const element in b) {
    const ours = a[element];
    if (ours === undefined || element === SELF) continue;
    const left = nodeWithout(ours, b[element]!, recursive);
    if (left !== ours) (changed ??= new Map()).set(element, left);
  }
  if (changed === undefined) return a;
  // Built anew: an object with deleted keys is slow ever after.
  const out: Record<PathElement, FieldSet> = {};
  for (const element in a) {
    const left = changed.has(element) ? changed.get(element) : a[element];
    if (left !== undefined) out[element] = left;
  }
  return out;
}

function nodeWithout(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet | undefined {
  const taken = isMember(b);
  if (taken && (recursive || isEmpty(a))) return undefined;
  const left = without(a, b, recursive);
  if (left === a && !(taken && SELF in a)) return a;
  const { [SELF]: self, ...children } = left as Record<PathElement, FieldSet | undefined>;
  return makeNode(self !== undefined && !taken, children as FieldSet);
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let count = 0;
  for (const element in a) {
    const theirs = b[element];
    if (theirs === undefined || !equalSets(a[element]!, theirs)) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Every path of a sorted set, in the order in which structured-merge-diff lists them: members before what is below. */
export function* paths(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const element in set) if (element !== SELF && isMember(set[element]!)) yield [...prefix, element];
  for (const element in set) if (element !== SELF) yield* paths(set[element]!, [...prefix, element]);
}

/** `.spec.containers[name="web"].image`. */
export function pathText(path: readonly PathElement[]): string {
  return path.map(elementText).join('');
}
