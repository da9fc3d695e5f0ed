/** How an item of a list with owners is named in a field path: by its keys, or by its value in a set. */
import type { ListType } from './atom.ts';
import { quoted } from './go-text.ts';
import { type Field, isMap } from './json-value.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/** An item that cannot be named; the message is structured-merge-diff's. */
export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}

export function itemElement(list: ListType, item: unknown): PathElement {
  return list.declaredKeys.length > 0 ? keyedItem(list, item) : setItem(item);
}

function keyedItem(list: ListType, item: unknown): PathElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isMap(item)) throw new ListItemError('associative list with keys may not have non-map elements');
  const fields: Field[] = [];
  for (const name of list.keys) {
    let value = item[name];
    if (value === undefined) {
      if (list.element.map === undefined) {
        throw new ListItemError(`couldn't find default value for ${name}: associative list may not have non-map types`);
      }
      value = list.keyDefault(name);
    }
    // A key without value or default is left out: an item that sets it is another item.
    if (value !== undefined) fields.push([name, value]);
  }
  if (fields.length === 0) {
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${list.declaredKeys.map(quoted).join(' ')}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function setItem(item: unknown): PathElement {
  if (isMap(item)) throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) throw new ListItemError("associative list without keys has an element that's an explicit null");
  return valueElement(item);
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
