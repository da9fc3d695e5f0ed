/** Lists with the patch strategy `merge`: scalars are a set, objects a map by their merge key. */
import type { Json } from '@capstan/kube';
import { goKind, goValue } from '../schema/go-text.ts';
import { isObject, type JsonObject } from '../schema/json.ts';
import { withoutNulls } from './merge-patch.ts';
import { PatchError, rejectedPatch } from './patch-error.ts';
import { inOrder, keyOf } from './set-element-order.ts';

/** Merges one object of a list; gets objects that it may change. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** The merged list: the patch's items in the patch's order, the others where they were among them. */
export function mergeList(live: Json[], patch: Json[], mergeKey: string, mergeItem: MergeItem): Json[] {
  if (live.length === 0 && patch.length === 0) return live;
  if (elementKind(live, patch) !== 'object') {
    return inOrder({ merged: [...new Set([...live, ...patch])], first: patch, live }, '');
  }
  if (mergeKey === '') throw new PatchError(500, 'cannot merge lists without merge key for struct');
  const { remaining, items, replaces } = obeyDirectives(live as JsonObject[], patch as JsonObject[], mergeKey);
  if (replaces) return items;
  const merged = mergeItems(remaining, items, mergeKey, mergeItem);
  return inOrder({ merged, first: items, live: remaining }, mergeKey);
}

/** All items of both lists are of one kind, and that is not a list. */
function elementKind(...lists: readonly Json[][]): string {
  let kind: string | undefined;
  for (const item of lists.flat(1)) {
    if (Array.isArray(item)) throw rejectedPatch('lists of lists are not supported');
    kind ??= goKind(item);
    if (goKind(item) !== kind) {
      throw new PatchError(500, `list element types are not identical: ${goValue(lists as Json[])}`);
    }
  }
  return kind!;
}

/** `$patch: delete` items go with those they name; one `$patch: replace` item makes the rest of the patch the list. */
function obeyDirectives(live: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string) {
  let remaining = [...live];
  const items: JsonObject[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) {
      items.push(item);
      continue;
    }
    switch (item.$patch) {
      case 'delete': {
        const key = keyOf(item, mergeKey);
        remaining = remaining.filter(candidate => candidate[mergeKey] !== key);
        break;
      }
      case 'replace':
        replaces = true;
        break;
      case 'merge':
        throw new PatchError(500, 'merging lists cannot yet be specified in the patch');
      default:
        throw new PatchError(500, `unknown patch type: ${goValue(item.$patch!)} in map: ${goValue(item)}`);
    }
  }
  return { remaining, items, replaces };
}

/** The first item with the same key takes the patch; a new key is a new item. */
function mergeItems(live: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string, mergeItem: MergeItem) {
  const merged = [...live];
  const places = new Map<Json | undefined, number>();
  for (const [index, item] of merged.entries()) if (!places.has(item[mergeKey])) places.set(item[mergeKey], index);
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, merged.length);
      merged.push(withoutNulls(item) as JsonObject);
    } else {
      merged[place] = mergeItem(isObject(merged[place]!) ? merged[place]! : {}, item);
    }
  }
  return merged;
}
