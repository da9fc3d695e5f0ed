/** In which order the items of a merged list stand: as the patch has them, and between those as the live list has them. */
import type { Json } from '@capstan/kube';
import { goKind, goValue } from '../schema/go-text.ts';
import { isObject } from '../schema/json.ts';
import { PatchError } from './patch-error.ts';

/** The value that identifies an item: of its merge key, or the item itself where there is no key. */
export function keyOf(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item;
  if (!isObject(item)) throw new PatchError(500, `expected a map[string]interface {}, but received a ${goKind(item)}`);
  if (!Object.hasOwn(item, mergeKey)) {
    throw new PatchError(500, `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item[mergeKey]!;
}

interface Lists {
  readonly merged: readonly Json[];
  /** Whose order comes first. */
  readonly first: readonly Json[];
  readonly live: readonly Json[];
}

/** Items of `first` keep its order; each other one stands before the next item that follows it in the live list. */
export function inOrder({ merged, first, live }: Lists, mergeKey: string): Json[] {
  const positionIn = (list: readonly Json[]): ((item: Json) => number | undefined) => {
    const positions = new Map<Json, number>();
    for (const [index, item] of list.entries()) {
      const key = keyOf(item, mergeKey);
      if (!positions.has(key)) positions.set(key, index);
    }
    return item => positions.get(keyOf(item, mergeKey));
  };
  const inFirst = positionIn(first);
  const inLive = positionIn(live);
  const by = (position: (item: Json) => number | undefined) => (a: Json, b: Json) =>
    (position(a) ?? 0) - (position(b) ?? 0);
  const named = merged.filter(item => inFirst(item) !== undefined).sort(by(inFirst));
  const others = merged.filter(item => inFirst(item) === undefined).sort(by(inLive));

  const ordered: Json[] = [];
  let next = 0;
  for (const item of named) {
    const place = inLive(item);
    while (place !== undefined && next < others.length && isBefore(inLive(others[next]!), place)) {
      ordered.push(others[next++]!);
    }
    ordered.push(item);
  }
  return [...ordered, ...others.slice(next)];
}

const isBefore = (position: number | undefined, place: number): boolean => position !== undefined && position < place;

interface OrderedLists {
  readonly merged: readonly Json[];
  /** The value of `$setElementOrder/…`. */
  readonly order: readonly Json[];
  /** The list in the patch. */
  readonly change: readonly Json[];
  readonly live: readonly Json[];
}

/** Brings a merged list into the order that `$setElementOrder` gives, which has to agree with the patch's own. */
export function orderLike({ merged, order, change, live }: OrderedLists, mergeKey: string): Json[] {
  checkAgreement(change, order, mergeKey);
  if (live.length === 0 && change.length === 0) throw new PatchError(500, 'no elements in any of the given slices');
  return inOrder({ merged, first: order, live: editedOrder(live, change, mergeKey) }, mergeKey);
}

/**
 * The live order as Kubernetes sees it at this point. Its lists are edited in place while they are merged: a deletion moves
 * the items behind it forward and leaves the last one where it was, and a new item takes the first place that became free.
 */
function editedOrder(live: readonly Json[], change: readonly Json[], mergeKey: string): readonly Json[] {
  if (mergeKey === '') return live;
  const slots = [...live];
  let length = live.length;
  const items = change.filter(isObject);
  if (items.some(item => item.$patch === 'replace')) return live;
  const find = (key: Json | undefined): number =>
    slots.findIndex((slot, i) => i < length && isObject(slot) && slot[mergeKey] === key);
  for (const item of items) {
    if (item.$patch !== 'delete') continue;
    for (let at = find(item[mergeKey]); at >= 0; at = find(item[mergeKey])) {
      slots.copyWithin(at, at + 1, length);
      length--;
    }
  }
  for (const item of items) {
    if (item.$patch !== undefined || find(item[mergeKey]) >= 0) continue;
    if (length === live.length) break;
    slots[length++] = item;
  }
  return slots;
}

function checkAgreement(change: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || change.length === 0) return;
  const items = mergeKey === '' ? change : change.filter(item => !isObject(item) || !Object.hasOwn(item, '$patch'));
  let at = 0;
  for (const key of order) {
    if (at < items.length && keyOf(items[at]!, mergeKey) === keyOf(key, mergeKey)) at++;
  }
  if (at < items.length) {
    const lists = `${goValue([...change])}\n doesn't match $setElementOrder list:\n${goValue([...order])}`;
    throw new PatchError(500, `The order in patch list:\n${lists}\n`);
  }
}
