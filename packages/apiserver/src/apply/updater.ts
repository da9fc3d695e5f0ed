/**
 * Who owns what after a write. These are the rules of structured-merge-diff's Updater, over one table of managers:
 *
 * - an update takes what it changed away from all others;
 * - an apply owns exactly what its configuration sets, may not change what others own (unless forced), and removes what it
 *   set last time, does not set now, and nobody else owns.
 */
import { type Comparison, compareBySchema } from './compare.ts';
import { encodeFields } from './fields-v1.ts';
import { difference, type FieldSet, intersection, isEmpty, paths, recursiveDifference, union } from './fieldset.ts';
import { equalValues, type JsonObject } from './json-value.ts';
import { type Manager, type ManagerIdentity, type Managers, managerKey } from './managers.ts';
import { mergeBySchema } from './merge.ts';
import type { PathElement } from './path-element.ts';
import { prune } from './prune.ts';
import { reconcileSet } from './reconcile.ts';
import { toFieldSet } from './to-field-set.ts';
import { inVersion, type Typed, type Versions } from './versions.ts';

/** Someone else owns a field that an apply would change. */
export interface OwnedElsewhere {
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/** An apply would change what others own. */
export class ApplyConflict extends Error {
  override readonly name = 'ApplyConflict';
  readonly conflicts: readonly OwnedElsewhere[];

  constructor(conflicts: readonly OwnedElsewhere[]) {
    super(`conflicts with ${conflicts.length} fields of others`);
    this.conflicts = conflicts;
  }
}

export interface UpdateRules {
  readonly versions: Versions;
  /** Fields that a write through this endpoint cannot change and so cannot own, with all below them. */
  readonly ignored: FieldSet;
}

export interface Updated {
  /** Without those that own nothing any more. */
  readonly managers: Map<string, Manager>;
  /** What the write changed and so owns. */
  readonly taken: FieldSet;
}

/** A plain write, with what it changed. */
export function updateManagers(
  live: Typed,
  next: Typed,
  change: Comparison,
  before: Managers,
  rules: UpdateRules,
): Updated {
  const managers = reconcileManagers(live, before, rules.versions);
  const effective = withoutIgnored(change, rules.ignored);
  takeFromOthers(live, next, effective, managers, undefined, true, rules);
  return { managers, taken: union(effective.modified, effective.added) };
}

export interface Applied {
  /** Undefined where the object is what it was. */
  readonly object: JsonObject | undefined;
  readonly managers: Map<string, Manager>;
}

/** Throws ApplyConflict. */
export function applyManagers(
  live: Typed,
  config: Typed,
  before: Managers,
  self: ManagerIdentity,
  force: boolean,
  rules: UpdateRules,
): Applied {
  const managers = reconcileManagers(live, before, rules.versions);
  const key = managerKey(self);
  const last = managers.get(key);
  const set = recursiveDifference(toFieldSet(config.value, config.atom), rules.ignored);
  // A time outlives the entry: one whose version is no longer served keeps it.
  managers.set(key, { ...self, set, time: before.get(key)?.time });

  const merged: Typed = { ...live, value: mergeBySchema(live.value, config.value, live.atom) as JsonObject };
  const next = letsGo(last, set, self.apiVersion)
    ? prune(merged, managers, last, self.apiVersion, rules.versions)
    : merged;
  const change = withoutIgnored(compareBySchema(live.value, next.value, live.atom), rules.ignored);
  takeFromOthers(live, next, change, managers, key, force, rules);
  return { object: equalValues(live.value, next.value) ? undefined : next.value, managers };
}

/** Most applies say again what they said last time, or more: then there is nothing to remove. */
function letsGo(last: Manager | undefined, set: FieldSet, apiVersion: string): last is Manager {
  return last !== undefined && (last.apiVersion !== apiVersion || !isEmpty(difference(last.set, set)));
}

/** Forgets managers of versions that are not served, and follows changes of the schema. */
function reconcileManagers(live: Typed, before: Managers, versions: Versions): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const [key, manager] of before) {
    const there = inVersion(live, manager.apiVersion, versions);
    if (there === undefined) continue;
    const set = reconcileSet(manager.set, there.atom);
    managers.set(key, set === manager.set ? manager : { ...manager, set });
  }
  return managers;
}

function withoutIgnored(change: Comparison, ignored: FieldSet): Comparison {
  if (isEmpty(ignored)) return change;
  return {
    removed: recursiveDifference(change.removed, ignored),
    modified: recursiveDifference(change.modified, ignored),
    added: recursiveDifference(change.added, ignored),
  };
}

function takeFromOthers(
  live: Typed,
  next: Typed,
  change: Comparison,
  managers: Map<string, Manager>,
  self: string | undefined,
  force: boolean,
  rules: UpdateRules,
): void {
  const changes = new Map([[live.apiVersion, change]]);
  const conflicts: OwnedElsewhere[] = [];
  const left = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    if (key === self) continue;
    const theirs = changeIn(manager.apiVersion, live, next, changes, rules);
    if (theirs === undefined) {
      managers.delete(key);
      continue;
    }
    const taken = intersection(manager.set, union(theirs.modified, theirs.added));
    if (!force) for (const path of paths(encodeFields(taken))) conflicts.push({ manager, path });
    const set = difference(difference(manager.set, taken), theirs.removed);
    if (set !== manager.set) left.set(key, { ...manager, set });
  }
  if (conflicts.length > 0) throw new ApplyConflict(conflicts);
  for (const [key, manager] of left) managers.set(key, manager);
  for (const [key, manager] of managers) if (isEmpty(manager.set)) managers.delete(key);
}

function changeIn(
  apiVersion: string,
  live: Typed,
  next: Typed,
  changes: Map<string, Comparison>,
  rules: UpdateRules,
): Comparison | undefined {
  const known = changes.get(apiVersion);
  if (known !== undefined) return known;
  const before = inVersion(live, apiVersion, rules.versions, 'failed to convert old object: ');
  const after = inVersion(next, apiVersion, rules.versions, 'failed to convert new object: ');
  if (before === undefined || after === undefined) return undefined;
  const change = withoutIgnored(compareBySchema(before.value, after.value, before.atom), rules.ignored);
  changes.set(apiVersion, change);
  return change;
}
