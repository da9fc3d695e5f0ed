/** What changed between two values of one schema, as sets of field paths. */
import { type Atom, formsOf, type ListType, MAP, type MapType, SCALAR } from './atom.ts';
import { EMPTY_SET, type FieldSet, isEmpty, LEAF } from './fieldset.ts';
import { equalValues, isEmptyMap, isMap, type JsonObject, own } from './json-value.ts';
import { itemElement, itemsByElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { TypeMismatch } from './validate.ts';

/** No path is in more than one of the three. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

type Tree = Record<PathElement, FieldSet>;

/** One node in all three trees; undefined in those where it does not appear. No change at all is undefined, and costs nothing. */
interface Change {
  removed?: FieldSet | undefined;
  modified?: FieldSet | undefined;
  added?: FieldSet | undefined;
}

/** Compares two maps or lists (in practice, whole objects). */
export function compareBySchema(before: unknown, after: unknown, atom: Atom): Comparison {
  const { removed, modified, added } = compareNodes(before, after, atom) ?? {};
  return { removed: removed ?? EMPTY_SET, modified: modified ?? EMPTY_SET, added: added ?? EMPTY_SET };
}

export function isSame({ removed, modified, added }: Comparison): boolean {
  return isEmpty(removed) && isEmpty(modified) && isEmpty(added);
}

/** Both sides are there; null is there too. */
function compareNodes(before: unknown, after: unknown, atom: Atom): Change | undefined {
  if (before === after) return undefined;
  const formsBefore = formsOf(atom, before);
  const formsAfter = formsOf(atom, after);
  const change = compareAs(formsAfter, before, after, atom);
  if (formsBefore === formsAfter) return change;
  // Values of unlike forms are compared in both: what was below one is gone, what is below the other is new.
  const other = compareAs(formsBefore, before, after, atom);
  return {
    removed: change?.removed ?? other?.removed,
    modified: change?.modified ?? other?.modified,
    added: change?.added ?? other?.added,
  };
}

function compareAs(forms: number, before: unknown, after: unknown, atom: Atom): Change | undefined {
  if (forms & MAP) {
    const left = isMap(before) ? before : undefined;
    const right = isMap(after) ? after : undefined;
    if (atom.map!.atomic || (isEmptyMap(left) && isEmptyMap(right))) return compareLeaves(before, after);
    return compareMaps(left, right, atom.map!);
  }
  if (forms & SCALAR) return compareLeaves(before, after);
  const left = Array.isArray(before) ? before : [];
  const right = Array.isArray(after) ? after : [];
  if (atom.list!.atomic || (left.length === 0 && right.length === 0)) return compareLeaves(before, after);
  return equalValues(left, right) ? undefined : compareLists(left, right, atom.list!);
}

function compareLeaves(before: unknown, after: unknown): Change | undefined {
  return equalValues(before, after) ? undefined : { modified: LEAF };
}

function compareMaps(before: JsonObject | undefined, after: JsonObject | undefined, map: MapType): Change | undefined {
  let change: Change | undefined;
  for (const name in before) {
    const left = before[name];
    const right = own(after, name);
    if (left === right || left === undefined) continue;
    const atom = fieldAtom(map, name);
    const child = right === undefined ? { removed: allPaths(left, atom) } : compareNodes(left, right, atom);
    if (child !== undefined) hang((change ??= {}), fieldElement(name), child);
  }
  for (const name in after) {
    const right = after[name];
    if (right === undefined || own(before, name) !== undefined) continue;
    hang((change ??= {}), fieldElement(name), { added: allPaths(right, fieldAtom(map, name)) });
  }
  return change;
}

function compareLists(before: readonly unknown[], after: readonly unknown[], list: ListType): Change {
  const change: Change = {};
  const left = itemsByElement(list, before);
  const right = itemsByElement(list, after);
  for (const [element, items] of left) hang(change, element, compareItems(items, right.get(element) ?? [], list));
  for (const [element, items] of right) {
    if (!left.has(element)) hang(change, element, compareItems([], items, list));
  }
  return change;
}

/** Items of one name. More than one (an older schema let them in) count as one leaf under that name. */
function compareItems(before: readonly unknown[], after: readonly unknown[], list: ListType): Change {
  if (before.length > 1 && after.length > 1) return compareLeaves(before, after) ?? {};
  if (before.length > 1) return { removed: LEAF, added: after.length === 0 ? undefined : pathsOf(after[0], list) };
  if (after.length > 1) return { removed: before.length === 0 ? undefined : pathsOf(before[0], list), added: LEAF };
  if (before.length === 0) return { added: pathsOf(after[0], list) };
  if (after.length === 0) return { removed: pathsOf(before[0], list) };
  return compareNodes(before[0], after[0], list.element) ?? {};
}

const pathsOf = (item: unknown, list: ListType): FieldSet => allPaths(item, list.element);

/** Everything from a value down, itself included: what a value that comes or goes as a whole adds or removes. */
function allPaths(value: unknown, atom: Atom): FieldSet {
  const forms = formsOf(atom, value);
  if (forms & MAP) {
    if (atom.map!.atomic || !isMap(value) || isEmptyMap(value)) return LEAF;
    const paths: Tree = { '.': LEAF };
    for (const name in value) {
      const child = value[name];
      if (child !== undefined) paths[fieldElement(name)] = allPaths(child, fieldAtom(atom.map!, name));
    }
    return paths;
  }
  if (forms & SCALAR || atom.list!.atomic || !Array.isArray(value) || value.length === 0) return LEAF;
  const paths: Tree = { '.': LEAF };
  for (const item of value) {
    const element = itemElement(atom.list!, item);
    paths[element] = element in paths ? LEAF : pathsOf(item, atom.list!);
  }
  return paths;
}

function fieldAtom(map: MapType, name: string): Atom {
  const atom = map.field(name);
  if (atom === undefined) throw new TypeMismatch([{ path: `.${name}`, message: 'field not declared in schema' }]);
  return atom;
}

function hang(change: Change, element: PathElement, { removed, modified, added }: Change): void {
  if (removed !== undefined) ((change.removed ??= {}) as Tree)[element] = removed;
  if (modified !== undefined) ((change.modified ??= {}) as Tree)[element] = modified;
  if (added !== undefined) ((change.added ??= {}) as Tree)[element] = added;
}
