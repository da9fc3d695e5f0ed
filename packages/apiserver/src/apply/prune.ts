/**
 * Removes what an applier set last time and does not set now. Cutting out its last set would also cut what others own and what
 * nobody owns but stands below a struct of the set; so both are put back.
 */
import { difference, EMPTY_SET, type FieldSet, intersection, isEmpty, union } from './fieldset.ts';
import type { JsonObject } from './json-value.ts';
import type { Manager, Managers } from './managers.ts';
import { removeItems, withNamedFields } from './remove.ts';
import { toFieldSet } from './to-field-set.ts';
import { inVersion, type Typed, type Versions } from './versions.ts';

const PRUNE = 'failed to prune fields: ';
const ADD_BACK_OWNED = `${PRUNE}failed add back owned items: `;
const ADD_BACK_DANGLING = `${PRUNE}failed add back dangling items: `;
const LAST_VERSION = 'to last applied version: ';

/** `managers` holds what the applier owns now; `last` is what it owned before, perhaps in another version. */
export function prune(merged: Typed, managers: Managers, last: Manager, apiVersion: string, versions: Versions): Typed {
  if (isEmpty(last.set)) return merged;
  const whole = inVersion(merged, last.apiVersion, versions, `${PRUNE}failed to convert merged object ${LAST_VERSION}`);
  if (whole === undefined) return merged;
  const lastSet = withNamedFields(last.set, whole.atom);
  const cut = addBackOwned(whole, remove(whole, lastSet), managers, versions);
  const pruned = addBackDangling(whole, cut, lastSet, versions);
  return inVersion(pruned, apiVersion, versions, PRUNE) ?? pruned;
}

function remove(typed: Typed, set: FieldSet): Typed {
  return { ...typed, value: removeItems(typed.value, set, typed.atom) as JsonObject };
}

/** What a value sets, structs included. A prune asks for the same ones again and again. */
function setOf(typed: Typed): FieldSet {
  let set = sets.get(typed);
  if (set === undefined) {
    set = withNamedFields(toFieldSet(typed.value, typed.atom), typed.atom);
    sets.set(typed, set);
  }
  return set;
}

const sets = new WeakMap<Typed, FieldSet>();

/** Puts back what anyone owns, the applier's new configuration included, version by version: its own first. */
function addBackOwned(whole: Typed, cut: Typed, managers: Managers, versions: Versions): Typed {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, set));
  const order = [...owned.keys()].sort((a, b) => Number(b === whole.apiVersion) - Number(a === whole.apiVersion));
  let merged = whole;
  let pruned = cut;
  for (const apiVersion of order) {
    const failed = (what: string) => `${ADD_BACK_OWNED}failed to convert ${what} object at version ${apiVersion}: `;
    const wholeThere = inVersion(merged, apiVersion, versions, failed('merged'));
    const prunedThere = inVersion(pruned, apiVersion, versions, failed('pruned'));
    if (wholeThere === undefined || prunedThere === undefined) continue;
    merged = wholeThere;
    const kept = union(setOf(prunedThere), withNamedFields(owned.get(apiVersion)!, merged.atom));
    pruned = remove(merged, difference(setOf(merged), kept));
  }
  return pruned;
}

/** Puts back what the applier did not own: only what was in its last set may go. */
function addBackDangling(whole: Typed, cut: Typed, lastSet: FieldSet, versions: Versions): Typed {
  const pruned = inVersion(
    cut,
    whole.apiVersion,
    versions,
    `${ADD_BACK_DANGLING}failed to convert pruned object ${LAST_VERSION}`,
  );
  if (pruned === undefined) return whole;
  return remove(whole, intersection(difference(setOf(whole), setOf(pruned)), lastSet));
}
