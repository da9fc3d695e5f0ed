import { deepClone, deepEqual } from '@capstan/kube';
import { invalidValue } from '../field-error.ts';
import type { Draft, Stored } from '../kind.ts';
import { badRequest, conflict, failure, invalid, modified, notFound, type StatusError } from '../status.ts';
import { keyOf, ordered, tableOf, viewOf } from '../storage.ts';
import { Entry } from '../store/entry.ts';
import { HeadMoved } from '../store/store.ts';
import { strategyContext, type WriteContext } from './context.ts';
import { create, saidToBe, settleAdmitted, settleNamespace } from './create.ts';
import { trackUpdated, withoutTimes } from './field-managers.ts';
import { dropDoubleOwners, keepMetadata, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { save } from './save.ts';

/** How often a change that names no version is worked out anew because someone else wrote first. */
const CONFLICT_RETRIES = 10;

export interface Written {
  readonly entry: Entry;
  readonly created: boolean;
}

/**
 * Changes one object: `produce` makes the new state from the current one (a draft of the request's version, decoded and with
 * defaults). It may run several times. Without a current state there is something to do only where `mayCreate`.
 */
export async function change(
  context: WriteContext,
  name: string,
  mayCreate: boolean,
  produce: (current: Stored | undefined) => Promise<Draft> | Draft,
): Promise<Written> {
  const { store, kind, namespace, views } = context;
  const key = keyOf(namespace, name);
  for (let attempt = 0; ; attempt++) {
    const head = store.head(tableOf(kind), key);
    if (!head && !mayCreate) throw notFound(kind, name);
    const draft = await produce(head && (await views.of(kind, head)).object);
    refuseOtherName(draft, name);
    try {
      if (head) return { entry: await updateTo(context, head, draft), created: false };
      if (draft.metadata.uid) throw uidMismatch(context, name, draft.metadata.uid, '');
      delete draft.metadata.resourceVersion; // it spoke of an object that is not there
      return { entry: await create(context, draft), created: true };
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
      if (attempt === CONFLICT_RETRIES) throw modified(kind, name);
    }
  }
}

async function updateTo(context: WriteContext, head: Entry, submitted: Draft): Promise<Entry> {
  const { kind, store, options } = context;
  const old = viewOf(kind)(head).object;
  settleNamespace(context, submitted);
  dropDoubleOwners(submitted, context);
  trackUpdated(context, old, submitted);
  const admitted = await context.admission.admit({ type: 'UPDATE', object: submitted, old }, context);
  if (admitted !== submitted) settleAdmitted(context, admitted, submitted);
  checkVersion(context, old, admitted);
  const draft = prepare(context, old, admitted);
  validateChange(context, draft, old);
  draft.metadata.resourceVersion = old.metadata.resourceVersion!;
  const asked = context.admission.validate({ type: 'UPDATE', object: draft, old }, context);
  if (asked) await asked;

  if (isFinished(draft, old, kind.plural === 'namespaces' && kind.group === '')) {
    if (!options.dryRun) {
      await store.remove(tableOf(kind), head.key, head, { ...head.object, metadata: { ...head.object.metadata } });
    }
    return Entry.of(head.key, head.revision, draft as Stored);
  }
  if (isUnchanged(draft, old)) return viewOf(kind)(head);
  if (options.dryRun) return Entry.of(head.key, head.revision, ordered(kind, draft) as Stored);
  return save(context, head.key, head, draft);
}

/** Optimistic locking: the version that the client has seen must still be the newest. */
function checkVersion({ kind }: WriteContext, old: Stored, { metadata }: Draft): void {
  const name = old.metadata.name!;
  const given = metadata.resourceVersion;
  if (given !== undefined && given !== '' && !/^\d+$/.test(given)) {
    throw failure(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  if (!given || given === '0') {
    if (!kind.strategy.allowsUnconditionalUpdate) {
      throw invalid({ ...kind, kind: kind.plural }, name, [
        invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
  } else if (given !== old.metadata.resourceVersion) {
    throw modified(kind, name);
  }
}

/** Takes over what this endpoint cannot change, and counts the generation. */
function prepare(context: WriteContext, old: Stored, draft: Draft): Draft {
  const { kind, subresource } = context;
  if (old.metadata.generation === undefined) delete draft.metadata.generation;
  else draft.metadata.generation = old.metadata.generation;
  if (subresource === 'status') kind.strategy.prepareForStatusUpdate(draft, old, strategyContext(context));
  else kind.strategy.prepareForUpdate(draft, old, strategyContext(context));
  keepMetadata(draft, old);
  if (kind.strategy.tracksGeneration && specChanged(draft, old, kind.subresources.status === true)) {
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  return draft;
}

function specChanged(draft: Draft, old: Stored, hasStatus: boolean): boolean {
  for (const field of new Set([...Object.keys(draft), ...Object.keys(old)])) {
    if (field === 'metadata' || field === 'apiVersion' || field === 'kind' || (hasStatus && field === 'status'))
      continue;
    if (!deepEqual(draft[field], old[field])) return true;
  }
  return false;
}

function validateChange({ kind, subresource, warn }: WriteContext, draft: Draft, old: Stored): void {
  const { strategy } = kind;
  const errors = [
    ...validateMetadata(draft.metadata, kind),
    ...validateMetadataUpdate(draft.metadata, old.metadata),
    ...(subresource === 'status' ? strategy.validateStatusUpdate(draft, old) : strategy.validateUpdate(draft, old)),
  ];
  if (errors.length > 0) throw invalid(saidToBe(kind, draft), draft.metadata.name ?? '', errors);
  for (const text of strategy.warnings?.(draft, old) ?? []) warn(text);
}

/** The last finalizer of an object that is being deleted is gone: so is the object. */
function isFinished(draft: Draft, old: Stored, isNamespace: boolean): boolean {
  if (!old.metadata.deletionTimestamp) return false;
  if (isNamespace && (draft['spec']?.finalizers ?? []).length > 0) return false;
  return (draft.metadata.finalizers ?? []).length === 0 && !old.metadata.deletionGracePeriodSeconds;
}

/** A write that changes nothing but the time at which a manager last said the same is no write. */
function isUnchanged(draft: Draft, old: Stored): boolean {
  const { managedFields: next, ...metadata } = draft.metadata;
  const { managedFields: before, ...oldMetadata } = old.metadata;
  return (
    deepEqual({ ...draft, metadata }, { ...old, metadata: oldMetadata }) &&
    deepEqual(withoutTimes(next), withoutTimes(before))
  );
}

/** A body has to name what the path names. */
export function refuseOtherName({ metadata }: Draft, name: string): void {
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

function uidMismatch({ kind }: WriteContext, name: string, wanted: string, found: string): StatusError {
  return conflict(kind, name, `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`);
}

/** PUT: the body is the new state. It is read before anything is looked up. */
export async function replace(context: WriteContext, name: string, submitted: Draft): Promise<Written> {
  refuseOtherName(submitted, name);
  settleNamespace(context, submitted);
  const mayCreate = context.subresource === '' && context.kind.strategy.allowsCreateOnUpdate;
  return change(context, name, mayCreate, current => {
    const { uid } = submitted.metadata;
    if (uid && current && uid !== current.metadata.uid) {
      throw uidMismatch(context, name, uid, current.metadata.uid ?? '');
    }
    return deepClone(submitted);
  });
}
