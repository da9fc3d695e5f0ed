/** Every program that ever updated an object would leave an entry: beyond ten, the oldest are merged. */
import { union } from './fieldset.ts';
import { compareStrings } from './go-text.ts';
import { compareTimes, type Manager, managerKey } from './managers.ts';

/** Kubernetes' own limit. */
const MAXIMUM_UPDATERS = 10;

/** Merges the oldest updaters, version by version, until few enough are left. Appliers always stay. */
export function capUpdaters(managers: Map<string, Manager>): Map<string, Manager> {
  const updaters = [...managers.values()].filter(manager => manager.operation === 'Update');
  if (updaters.length <= MAXIMUM_UPDATERS) return managers;
  updaters.sort((a, b) => compareTimes(a.time, b.time) || compareStrings(managerKey(a), managerKey(b)));
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, Manager>();
  let count = updaters.length;
  for (const updater of updaters) {
    if (count <= MAXIMUM_UPDATERS) break;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      // Alone in its version so far: it becomes the bucket when a second one comes.
      firstOfVersion.set(updater.apiVersion, updater);
      continue;
    }
    const identity = { ...updater, manager: 'ancient-changes', subresource: '' };
    const bucket = managerKey(identity);
    let merged = capped.get(bucket);
    if (merged === undefined) {
      capped.delete(managerKey(first));
      merged = first;
    }
    capped.delete(managerKey(updater));
    capped.set(bucket, { ...identity, set: union(updater.set, merged.set) });
    count--;
  }
  return capped;
}
