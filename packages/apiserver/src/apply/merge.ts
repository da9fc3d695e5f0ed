/** Lays an applied configuration over an object: the configuration's leaves win, nothing is removed. */
import { type Atom, formsOf, type ListType, MAP, type MapType, SCALAR } from './atom.ts';
import { isEmptyMap, isMap, type JsonObject, own, put } from './json-value.ts';
import { itemElement } from './list-item.ts';
import type { PathElement } from './path-element.ts';

/** Both values are valid. Shares with both what it does not have to merge. */
export function mergeBySchema(live: unknown, config: unknown, atom: Atom): unknown {
  if (config === undefined) return live;
  // Where the two differ in form, the configuration's decides.
  return mergeAs(formsOf(atom, config), live, config, atom);
}

function mergeAs(forms: number, live: unknown, config: unknown, atom: Atom): unknown {
  if (forms & MAP) {
    const left = isMap(live) ? live : undefined;
    const right = isMap(config) ? config : undefined;
    if (atom.map!.atomic || (isEmptyMap(left) && isEmptyMap(right))) return config;
    return mergeMaps(left, right, atom.map!);
  }
  if (forms & SCALAR) return config;
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(config) ? config : [];
  if (atom.list!.atomic || (left.length === 0 && right.length === 0)) return config;
  return mergeLists(left, right, atom.list!);
}

function mergeMaps(live: JsonObject | undefined, config: JsonObject | undefined, map: MapType): unknown {
  const out: Record<string, unknown> = {};
  for (const name in live) {
    const merged = mergeBySchema(live[name], own(config, name), map.field(name)!);
    if (merged !== undefined) put(out, name, merged);
  }
  for (const name in config) {
    if (own(live, name) !== undefined || config[name] === undefined) continue;
    const merged = mergeBySchema(undefined, config[name], map.field(name)!);
    if (merged !== undefined) put(out, name, merged);
  }
  return isEmptyMap(out) ? undefined : out;
}

/**
 * Items that only one side has keep their place relative to their neighbours; those that both have stand in the order of the
 * configuration.
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], list: ListType): unknown {
  const left = live.map(item => itemElement(list, item));
  const right = config.map(item => itemElement(list, item));
  const liveItems = new Map<PathElement, unknown>();
  // Duplicates cannot be merged with anything: null stands for them.
  for (const [index, element] of left.entries()) {
    liveItems.set(element, liveItems.has(element) ? null : live[index]);
  }
  const configItems = new Map(right.map((element, index) => [element, config[index]]));
  const shared = right.filter(element => liveItems.has(element)).values();
  const next = (): PathElement | undefined => shared.next().value;
  let nextShared = next();
  const taken = new Set<PathElement>();
  const out: unknown[] = [];
  const push = (merged: unknown) => {
    if (merged !== undefined) out.push(merged);
  };
  const takeConfigItem = (element: PathElement) => {
    taken.add(element);
    push(mergeBySchema(liveItems.get(element), configItems.get(element), list.element));
  };

  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const ours = left[l];
    const theirs = right[r];
    if (ours !== undefined && theirs !== undefined) {
      if (ours === theirs) {
        takeConfigItem(ours);
        l++;
        r++;
        nextShared = next();
        continue;
      }
      if (configItems.has(ours) && nextShared !== undefined && nextShared !== ours) {
        // Both have it, but another shared item comes first.
        l++;
        continue;
      }
    }
    if (ours !== undefined) {
      if (!configItems.has(ours)) {
        push(mergeBySchema(live[l], undefined, list.element));
        l++;
        continue;
      }
      if (taken.has(ours)) l++;
    }
    if (theirs !== undefined) {
      takeConfigItem(theirs);
      r++;
      if (nextShared === theirs) nextShared = next();
    }
  }
  return out.length > 0 ? out : undefined;
}
