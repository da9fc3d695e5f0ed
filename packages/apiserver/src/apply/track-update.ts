/** A plain create, update or patch: whoever writes owns what it changed. */
import type { ManagedFieldsEntry } from '@capstan/kube';
import { atomOf } from './atom.ts';
import { capUpdaters } from './cap.ts';
import { compareBySchema, isSame } from './compare.ts';
import { EMPTY_SET, isEmpty, union } from './fieldset.ts';
import { equalValues, isMap, type JsonObject } from './json-value.ts';
import {
  decodeManagers,
  encodeManagers,
  ManagedFieldsError,
  type Manager,
  type Managers,
  managerKey,
} from './managers.ts';
import { managedFieldsOf, metadataOf, withoutManagedFields } from './object.ts';
import { stripNobodys } from './strip.ts';
import { updateManagers } from './updater.ts';
import { validateValue } from './validate.ts';
import type { Typed } from './versions.ts';
import { cannotBeTracked, emptyObject, identityOf, ignoredFields, type Write } from './write.ts';

export interface UpdateInput extends Write {
  /** What is stored; undefined for a create. */
  readonly live: JsonObject | undefined;
  /** What is to be stored. Its managedFields may ask for a change of ownership, or, when emptied, for a reset. */
  readonly next: JsonObject;
}

/**
 * The `metadata.managedFields` of `next`; undefined where nothing is tracked (an object whose managedFields were emptied is not
 * tracked until somebody applies). Never fails: where ownership cannot be computed, that of the live object stays.
 */
export function trackUpdate(input: UpdateInput): readonly ManagedFieldsEntry[] | undefined {
  const stored = managedFieldsOf(input.live) as readonly ManagedFieldsEntry[] | undefined;
  try {
    const before = managersBefore(input);
    if (before.size === 0 && (metadataOf(input.live)['uid'] ?? '') !== '') return undefined;
    const after = capUpdaters(update(input.live ?? emptyObject(input, input.next['kind']), input.next, before, input));
    const entries = encodeManagers(after);
    const same = entries?.length === stored?.length && entries?.every((entry, index) => entry === stored?.[index]);
    return same ? stored : entries;
  } catch (error) {
    if (cannotBeTracked(error)) return stored;
    throw error;
  }
}

/** Throws what `cannotBeTracked` knows. */
export function update(live: JsonObject, next: JsonObject, before: Managers, write: Write): Map<string, Manager> {
  const atom = atomOf(write.schema);
  const from: Typed = { value: withoutManagedFields(live), atom, apiVersion: write.apiVersion };
  const to: Typed = { value: withoutManagedFields(next), atom, apiVersion: write.apiVersion };
  const change = compareBySchema(from.value, to.value, atom);
  if (!isSame(change)) {
    validateValue(to.value, atom, true);
    validateValue(from.value, atom, true);
  }
  const rules = { versions: write, ignored: ignoredFields(write) };
  const { managers, taken } = updateManagers(from, to, change, before, rules);
  const owned = stripNobodys(taken);
  if (isEmpty(owned)) return managers;
  const identity = identityOf(write, 'Update');
  const key = managerKey(identity);
  const previous = managers.get(key);
  managers.set(key, { ...identity, set: union(previous?.set ?? EMPTY_SET, owned), time: write.time });
  return managers;
}

function managersBefore({ live, next, subresource }: UpdateInput): Managers {
  const asked = managedFieldsOf(next);
  const stored = managedFieldsOf(live);
  // Through a subresource nobody edits ownership.
  if (subresource === '' && asked !== undefined && !equalValues(asked, stored)) {
    if (isReset(asked)) return new Map();
    const managers = decodeOrNothing(asked);
    // Clients that do not know managedFields drop them, or garble them: that is no reason to forget.
    if (managers.size > 0) return managers;
  }
  return stored === undefined ? new Map() : decodeOrNothing(stored);
}

function isReset(entries: readonly unknown[]): boolean {
  if (entries.length !== 1) return entries.length === 0;
  const [entry] = entries;
  return isMap(entry) && Object.values(entry).every(value => value === undefined || value === null || value === '');
}

function decodeOrNothing(entries: readonly unknown[]): Map<string, Manager> {
  try {
    return decodeManagers(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return new Map();
    throw error;
  }
}
