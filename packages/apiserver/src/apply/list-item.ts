/** How an item of a list with owners is named in a field path: by its keys, or by its value in a set. */
import type { ListType } from './atom.ts';
import { quoted } from './go-text.ts';
import { type Field, isMap, type JsonObject, own } from './json-value.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/** An item that cannot be named; the message is structured-merge-diff's. */
export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}

/** Throws ListItemError. */
export function itemElement(list: ListType, item: unknown): PathElement {
  const message = itemProblem(list, item);
  if (message !== undefined) throw new ListItemError(message);
  if (list.keys.length === 0) return valueElement(item);
  const fields: Field[] = [];
  for (const name of list.keys) {
    const value = keyOf(list, item as JsonObject, name);
    // A key without value or default is left out: an item that sets it is another item.
    if (value !== undefined) fields.push([name, value]);
  }
  return keyElement(fields);
}

function keyOf(list: ListType, item: JsonObject, name: string): unknown {
  const value = own(item, name);
  return value === undefined ? list.keyDefault(name) : value;
}

/** Why an item cannot be named, in structured-merge-diff's words; undefined where it can. */
export function itemProblem(list: ListType, item: unknown): string | undefined {
  return list.keys.length > 0 ? keyedItemProblem(list, item) : setItemProblem(item);
}

function keyedItemProblem(list: ListType, item: unknown): string | undefined {
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isMap(item)) return 'associative list with keys may not have non-map elements';
  for (const name of list.keys) {
    if (keyOf(list, item, name) !== undefined) return undefined;
    if (list.element.map === undefined) {
      return `couldn't find default value for ${name}: associative list may not have non-map types`;
    }
  }
  const keys = list.declaredKeys.map(quoted).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function setItemProblem(item: unknown): string | undefined {
  if (typeof item !== 'object') return undefined;
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return "associative list without keys has an element that's a map type";
}

/** The items of a list under their names; those with equal names stand together. Lists are small: most have one item a name. */
export function itemsByElement(list: ListType, items: readonly unknown[] | undefined): Map<PathElement, unknown[]> {
  const byElement = new Map<PathElement, unknown[]>();
  for (const item of items ?? []) {
    const element = itemElement(list, item);
    const same = byElement.get(element);
    if (same === undefined) byElement.set(element, [item]);
    else same.push(item);
  }
  return byElement;
}
