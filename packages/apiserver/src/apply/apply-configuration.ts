/** Server-side apply: merges a configuration into an object and keeps track of who set what. */
import type { Draft } from '../kind.ts';
import { type Atom, atomOf } from './atom.ts';
import { difference, has, isEmpty, pathText, setOfAll } from './fieldset.ts';
import { compareStrings } from './go-text.ts';
import type { JsonObject } from './json-value.ts';
import { KUBECTL, ownedByLastApplied, updateLastApplied } from './last-applied.ts';
import { decodeManagers, encodeManagers, ManagedFieldsError, type Manager, managerKey } from './managers.ts';
import { draftOf, kindText, managedFieldsOf, objectText, refill, withoutManagedFields } from './object.ts';
import { stripNobodys } from './strip.ts';
import { update } from './track-update.ts';
import { type Applied, ApplyConflict, applyManagers, type OwnedElsewhere } from './updater.ts';
import { TypeMismatch, validateValue } from './validate.ts';
import { cannotBeTracked, emptyObject, identityOf, ignoredFields, type Write } from './write.ts';

export interface ApplyInput extends Write {
  readonly kind: string;
  /** What is stored, in the version of the request; undefined where there is nothing yet. */
  readonly live: JsonObject | undefined;
  /** What was sent. */
  readonly config: JsonObject;
  /** Take fields that others own. */
  readonly force: boolean;
}

/** A field that the configuration would change and that someone else owns. */
export interface Conflict {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource: string;
  readonly apiVersion: string;
  readonly time: string | undefined;
  /** `.spec.template.spec.containers[name="web"].image`. */
  readonly field: string;
}

export type ApplyResult =
  /** The merged object with its managedFields, not yet defaulted. `changed` is false when only ownership may have changed. */
  | { readonly outcome: 'applied'; readonly object: Draft; readonly changed: boolean }
  | { readonly outcome: 'conflict'; readonly conflicts: readonly Conflict[] }
  | Refused;

/** The configuration or the stored object is not fit for apply; the message is Kubernetes', and so is the code. */
interface Refused {
  readonly outcome: 'refused';
  readonly code: 400 | 500;
  readonly message: string;
}

export function applyConfiguration(input: ApplyInput): ApplyResult {
  const { config } = input;
  if (config['apiVersion'] !== input.apiVersion || config['kind'] !== input.kind) {
    return refused(400, `invalid object type: ${kindText(config)}`);
  }
  if (managedFieldsOf(config) !== undefined) return refused(400, 'metadata.managedFields must be nil');
  const live = input.live ?? emptyObject(input, input.kind);
  try {
    const before = managersBeforeApply(live, input);
    if (!(before instanceof Map)) return before;
    const applied = applyAs(live, input, before);
    if (applied.outcome === 'refused') return applied;
    if (applied.outcome === 'owned by others') return conflicting(applied.fields);
    const draft = draftOf(applied.object ?? withoutManagedFields(live));
    refill(draft, input.empty);
    const entries = encodeManagers(applied.managers);
    // Entries are shared with the stored object: they are replaced, never edited.
    if (entries !== undefined) draft.metadata['managedFields'] = entries;
    if (input.manager === KUBECTL) updateLastApplied(draft, config);
    return { outcome: 'applied', object: draft, changed: applied.object !== undefined };
  } catch (error) {
    if (cannotBeTracked(error)) return refused(500, error.message);
    throw error;
  }
}

function refused(code: 400 | 500, message: string): Refused {
  return { outcome: 'refused', code, message };
}

/** What an object holds that was never tracked counts as set by `before-first-apply`. */
function managersBeforeApply(live: JsonObject, input: ApplyInput): Map<string, Manager> | Refused {
  try {
    const managers = decodeManagers(managedFieldsOf(live) ?? []);
    if (managers.size > 0) return managers;
    return update(emptyObject(input, input.kind), live, managers, { ...input, manager: 'before-first-apply' });
  } catch (error) {
    if (error instanceof ManagedFieldsError) return refused(500, `failed to decode managed fields: ${error.message}`);
    if (!(error instanceof TypeMismatch)) throw error;
    const failure = `failed to convert new object (${objectText(live)}) to smd typed: ${error.message}`;
    return refused(500, `failed to create manager for existing fields: ${failure}`);
  }
}

type Attempt = (Applied & { readonly outcome: 'merged' }) | OwnedByOthers | Refused;

interface OwnedByOthers {
  readonly outcome: 'owned by others';
  readonly fields: readonly OwnedElsewhere[];
}

/** Kubectl may take what its client-side applies set, without force. */
function applyAs(live: JsonObject, input: ApplyInput, before: Map<string, Manager>): Attempt {
  const first = tryApply(live, input, before, input.force);
  if (first.outcome !== 'owned by others' || input.manager !== KUBECTL) return first;
  const owned = ownedByLastApplied(withoutManagedFields(live), input);
  if (owned === undefined) return first;
  const fields = setOfAll(first.fields.map(({ path }) => path));
  if (isEmpty(difference(fields, owned))) return tryApply(live, input, before, true);
  return { ...first, fields: first.fields.filter(({ path }) => !has(owned, path)) };
}

function tryApply(live: JsonObject, input: ApplyInput, before: Map<string, Manager>, force: boolean): Attempt {
  const { apiVersion, config } = input;
  const atom = atomOf(input.schema);
  const base = withoutManagedFields(live);
  const misfit = misfitOf('patch', config, atom, false) ?? misfitOf('live', base, atom, true);
  if (misfit !== undefined) return misfit;
  const identity = identityOf(input, 'Apply');
  const rules = { versions: input, ignored: ignoredFields(input) };
  try {
    const from = { value: base, atom, apiVersion };
    const { object, managers } = applyManagers(from, { ...from, value: config }, before, identity, force, rules);
    stamp(managers, managerKey(identity), object === undefined ? undefined : input.time);
    return { outcome: 'merged', object, managers };
  } catch (error) {
    if (error instanceof ApplyConflict) return { outcome: 'owned by others', fields: error.conflicts };
    throw error;
  }
}

function misfitOf(what: string, object: JsonObject, atom: Atom, allowDuplicates: boolean): Refused | undefined {
  try {
    validateValue(object, atom, allowDuplicates);
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    return refused(500, `failed to create typed ${what} object (${objectText(object)}): ${error.message}`);
  }
}

/** Only a write that changed the object is worth a new time. */
function stamp(managers: Map<string, Manager>, key: string, time: string | undefined): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  const set = stripNobodys(manager.set);
  if (isEmpty(set)) managers.delete(key);
  else managers.set(key, { ...manager, set, time: time ?? manager.time });
}

/** Sorted by manager, as Kubernetes lists them in the message. */
function conflicting(found: readonly OwnedElsewhere[]): ApplyResult {
  const byManager = [...Map.groupBy(found, ({ manager }) => managerKey(manager))];
  const sorted = byManager.sort(([a], [b]) => compareStrings(a, b)).flatMap(([, theirs]) => theirs);
  const conflicts = sorted.map(({ manager: { manager, operation, subresource, apiVersion, time }, path }) => ({
    manager,
    operation,
    subresource,
    apiVersion,
    time,
    field: pathText(path),
  }));
  return { outcome: 'conflict', conflicts };
}
