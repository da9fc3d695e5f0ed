/** Cuts fields out of a value, or everything else. */
import { type Atom, DEDUCED, formsOf, type ListType, MAP, type MapType, SCALAR } from './atom.ts';
import { type FieldSet, hasChildren, isEmpty, isMember, LEAF } from './fieldset.ts';
import { isMap, type JsonObject } from './json-value.ts';
import { itemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';

type Mode = 'remove' | 'extract';

/** The value without the fields of the set; null where nothing of a list or map is left. */
export function removeItems(value: unknown, set: FieldSet, atom: Atom): unknown {
  return cut(value, set, atom, 'remove');
}

/** The value with nothing but the fields of the set. */
export function extractItems(value: unknown, set: FieldSet, atom: Atom): unknown {
  return cut(value, set, atom, 'extract');
}

function cut(value: unknown, set: FieldSet, atom: Atom, mode: Mode): unknown {
  const forms = formsOf(atom, value);
  if (forms & MAP) {
    if (!isMap(value)) return null;
    if (isEmpty(value as FieldSet) || atom.map!.atomic) return mode === 'extract' ? value : null;
    return cutMap(value, set, atom.map!, mode);
  }
  if (forms & SCALAR) return value;
  if (!Array.isArray(value)) return null;
  if (value.length === 0 || atom.list!.atomic) return mode === 'extract' ? value : null;
  return cutList(value, set, atom.list!, mode);
}

function cutMap(map: JsonObject, set: FieldSet, type: MapType, mode: Mode): unknown {
  const out: Record<string, unknown> = {};
  for (const name in map) {
    const value = map[name];
    if (value === undefined) continue;
    const atom = type.field(name) ?? DEDUCED;
    const node = set[fieldElement(name)];
    if (node !== undefined && isMember(node)) {
      if (mode === 'extract') out[name] = cut(value, set, atom, mode);
    } else if (node !== undefined) out[name] = cut(value, node, atom, mode);
    else if (mode === 'remove') out[name] = value;
  }
  return isEmpty(out as FieldSet) ? null : out;
}

function cutList(items: readonly unknown[], set: FieldSet, type: ListType, mode: Mode): unknown {
  const out: unknown[] = [];
  for (const item of items) {
    const node = set[itemElement(type, item)];
    const below = node !== undefined && hasChildren(node);
    if (mode === 'remove') {
      if (node !== undefined && isMember(node)) continue;
      out.push(below ? cut(item, node, type.element, mode) : item);
    } else if (node !== undefined) out.push(below ? cut(item, node, type.element, mode) : item);
  }
  return out.length > 0 ? out : null;
}

/**
 * The set with the structs on the way to its paths: `.spec.replicas` brings `.spec` along, but `.metadata.labels.app` does not
 * bring an entry of a map along that has things below it.
 */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  const out: Record<string, FieldSet> = {};
  for (const element in set) {
    if (element === '.') {
      out[element] = set[element]!;
      continue;
    }
    const node = set[element]!;
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const named = name !== undefined && atom?.map?.declares(name) === true;
    const child = withNamedFields(node, childAtom(atom, element, name));
    out[element] = named && !isMember(node) ? { '.': LEAF, ...child } : child;
  }
  return out;
}

function childAtom(atom: Atom | undefined, element: string, name: string | undefined): Atom | undefined {
  if (name !== undefined) return atom?.map?.field(name);
  return element.startsWith('k:') ? atom?.list?.element : undefined;
}
