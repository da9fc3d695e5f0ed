/** Cuts fields out of a value. */
import { type Atom, DEDUCED, formsOf, type ListType, MAP, type MapType, SCALAR } from './atom.ts';
import { type FieldSet, isEmpty, isMember, LEAF } from './fieldset.ts';
import { isMap, type JsonObject, put } from './json-value.ts';
import { itemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';

/** The value without the fields of the set; null where nothing of a list or map is left. */
export function removeItems(value: unknown, set: FieldSet, atom: Atom): unknown {
  const forms = formsOf(atom, value);
  if (forms & MAP) {
    if (!isMap(value) || atom.map!.atomic) return null;
    return removeFromMap(value, set, atom.map!);
  }
  if (forms & SCALAR) return value;
  if (!Array.isArray(value) || atom.list!.atomic) return null;
  return removeFromList(value, set, atom.list!);
}

function removeFromMap(map: JsonObject, set: FieldSet, type: MapType): unknown {
  const out: Record<string, unknown> = {};
  for (const name in map) {
    const value = map[name];
    if (value === undefined) continue;
    const node = set[fieldElement(name)];
    if (node === undefined) put(out, name, value);
    else if (!isMember(node)) put(out, name, removeItems(value, node, type.field(name) ?? DEDUCED));
  }
  return isEmpty(out as FieldSet) ? null : out;
}

function removeFromList(items: readonly unknown[], set: FieldSet, type: ListType): unknown {
  const out: unknown[] = [];
  for (const item of items) {
    const node = set[itemElement(type, item)];
    if (node === undefined) out.push(item);
    else if (!isMember(node)) out.push(removeItems(item, node, type.element));
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
