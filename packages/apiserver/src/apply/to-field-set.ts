/** The fields that a value sets: what an applied configuration owns. */
import { type Atom, formsOf, type ListType, MAP, type MapType, SCALAR } from './atom.ts';
import { EMPTY_SET, type FieldSet, LEAF, makeNode } from './fieldset.ts';
import { isEmptyMap, isMap, type JsonObject } from './json-value.ts';
import { itemsByElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** Of a valid value. Structs are not in the set themselves, entries of maps and items of lists are. */
export function toFieldSet(value: unknown, atom: Atom): FieldSet {
  return visit(value, atom).children ?? EMPTY_SET;
}

interface Visit {
  /** The value is one leaf. */
  readonly leaf: boolean;
  readonly children: FieldSet | undefined;
}

const ONE_LEAF: Visit = { leaf: true, children: undefined };
const NOTHING: Visit = { leaf: false, children: undefined };

function visit(value: unknown, atom: Atom): Visit {
  const forms = formsOf(atom, value);
  if (forms & MAP) {
    if (atom.map!.atomic) return ONE_LEAF;
    return isMap(value) ? { leaf: false, children: visitMap(value, atom.map!) } : NOTHING;
  }
  if (forms & SCALAR || atom.list!.atomic) return ONE_LEAF;
  return Array.isArray(value) ? { leaf: false, children: visitList(value, atom.list!) } : NOTHING;
}

function visitMap(map: JsonObject, type: MapType): FieldSet {
  const set: Record<PathElement, FieldSet> = {};
  for (const name in map) {
    const value = map[name];
    const atom = type.field(name);
    if (value === undefined || atom === undefined) continue;
    const { leaf, children } = visit(value, atom);
    const empty = value === null || (isMap(value) && isEmptyMap(value));
    const node = makeNode(leaf || empty || !type.declares(name), children);
    if (node !== undefined) set[fieldElement(name)] = node;
  }
  return set;
}

function visitList(items: readonly unknown[], type: ListType): FieldSet {
  const set: Record<PathElement, FieldSet> = {};
  for (const [element, [item, ...duplicates]] of itemsByElement(type, items)) {
    // Duplicates have one owner, all of them.
    set[element] = duplicates.length > 0 ? LEAF : makeNode(true, visit(item, type.element).children)!;
  }
  return set;
}
