import { deepClone, deepEqual, timestamp } from '@capstan/kube';
import { CLEANUP_FINALIZER } from '../custom-resources.ts';
import type { Draft, KindDefinition, Stored } from '../kind.ts';
import { conflict, modified, notFound } from '../status.ts';
import { keyOf, tableOf } from '../storage.ts';
import { Entry } from '../store/entry.ts';
import { HeadMoved } from '../store/store.ts';
import type { WriteContext } from './context.ts';
import type { DeleteOptions } from './delete-options.ts';

export interface Removal {
  /** False while finalizers or a grace period keep the object. */
  readonly gone: boolean;
  readonly entry: Entry;
}

/** How often a deletion is begun anew because someone wrote first: a webhook that writes whenever it is asked would go on for ever. */
const ATTEMPTS = 100;

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/**
 * Deletes one object, or begins to: finalizers and graceful termination come first. `onAdmitted` is called when nobody objects any
 * more and the commit is on its way; when someone else wrote first, that happens again.
 */
export async function remove(
  context: WriteContext,
  name: string,
  options: DeleteOptions,
  onAdmitted: () => void = () => {},
): Promise<Removal> {
  const { store, kind, namespace } = context;
  const table = tableOf(kind);
  for (let attempt = 1; ; attempt++) {
    const head = store.head(table, keyOf(namespace, name));
    if (!head) throw notFound(kind, name);
    checkPreconditions(kind, head.object, options);
    const step = deletionStep(kind, head.object, options, context.clock.now());
    if (step.kind !== 'wait') await admit(context, head, withGrace(options, step));
    onAdmitted();
    try {
      return await removeHead(context, head, step, options);
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
      if (attempt === ATTEMPTS) throw modified(kind, name);
    }
  }
}

/** Who is asked about the end of a Pod is told how long it will take, also where the client left that to the Pod. */
function withGrace(options: DeleteOptions, step: Exclude<Step, { kind: 'wait' }>): DeleteOptions {
  const { deletionGracePeriodSeconds: grace } = step.object.metadata;
  if (options.gracePeriodSeconds !== undefined || !grace) return options;
  return { ...options, gracePeriodSeconds: grace };
}

async function admit(context: WriteContext, head: Entry, options: DeleteOptions): Promise<void> {
  const { admission, kind, views } = context;
  const old = (await views.of(kind, head)).object;
  const operation = { type: 'DELETE', object: old as Draft, old, options } as const;
  await admission.admit(operation, context);
  const asked = admission.validate(operation, context);
  if (asked) await asked;
}

async function removeHead(context: WriteContext, head: Entry, step: Step, options: DeleteOptions): Promise<Removal> {
  const { store, kind, views } = context;
  const table = tableOf(kind);
  const view = (entry: Entry): Promise<Entry> => views.of(kind, entry);
  switch (step.kind) {
    case 'wait':
      return { gone: false, entry: await view(head) };
    case 'mark': {
      if (options.dryRun) return { gone: false, entry: Entry.of(head.key, head.revision, step.object as Stored) };
      if (deepEqual(step.object, head.object)) return { gone: false, entry: await view(head) };
      return { gone: false, entry: await view(await store.write(table, head.key, head, step.object)) };
    }
    case 'remove': {
      if (options.dryRun) return { gone: true, entry: await view(head) };
      return { gone: true, entry: await view(await store.remove(table, head.key, head, step.object)) };
    }
  }
}

type Step =
  /** It is being deleted already, and this request does not make it go faster. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'mark'; readonly object: Draft }
  | { readonly kind: 'remove'; readonly object: Draft };

/** What a deletion does to an object as it is now. */
export function deletionStep(kind: KindDefinition, object: Stored, options: DeleteOptions, now: number): Step {
  const draft = deepClone(object) as Draft;
  const { metadata } = draft;
  const requested = options.gracePeriodSeconds;
  const isNamespace = kind.group === '' && kind.plural === 'namespaces';

  if (isNamespace) return namespaceStep(draft, now);
  if (kind.kind === 'CustomResourceDefinition' && !metadata.deletionTimestamp) {
    beginCleanUp(draft, now);
    return { kind: 'mark', object: draft };
  }
  if (
    metadata.deletionTimestamp &&
    kind.strategy.gracePeriodSeconds &&
    (metadata.deletionGracePeriodSeconds ?? 0) > 0
  ) {
    if (requested === undefined || requested >= metadata.deletionGracePeriodSeconds!) return { kind: 'wait' };
    shortenGrace(draft, requested, now);
    return afterGrace(draft, requested);
  }

  let grace = 0;
  if (!metadata.deletionTimestamp && kind.strategy.gracePeriodSeconds) {
    grace = kind.strategy.gracePeriodSeconds(object, requested);
  }
  const finalizers = finalizersAfter(kind, metadata.finalizers ?? [], options);
  if (!deepEqual(finalizers, metadata.finalizers ?? [])) {
    if (finalizers.length > 0) metadata.finalizers = finalizers;
    else delete metadata.finalizers;
  }
  const held = grace > 0 || finalizers.length > 0;
  // What can end gracefully shows its end, even when that is now.
  if (held || kind.strategy.gracePeriodSeconds) markDeleting(draft, grace, now);
  if (!held) return { kind: 'remove', object: draft };
  return { kind: 'mark', object: draft };
}

function markDeleting({ metadata }: Draft, grace: number, now: number): void {
  if (!metadata.deletionTimestamp) {
    if ((metadata.generation ?? 0) > 0) metadata.generation!++;
    metadata.deletionTimestamp = timestamp(now + grace * 1000);
  } else if (grace === 0 && Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = timestamp(now);
  }
  metadata.deletionGracePeriodSeconds = grace;
}

/** A grace period that runs can only be shortened, and never into the past. */
function shortenGrace({ metadata }: Draft, requested: number, now: number): void {
  const began = Date.parse(metadata.deletionTimestamp!) - metadata.deletionGracePeriodSeconds! * 1000;
  const ends = began + requested * 1000;
  metadata.deletionTimestamp = timestamp(Math.max(ends, now));
  metadata.deletionGracePeriodSeconds = ends < now && requested !== 0 ? 1 : requested;
}

function afterGrace(draft: Draft, requested: number): Step {
  const held = requested > 0 || (draft.metadata.finalizers ?? []).length > 0;
  return held ? { kind: 'mark', object: draft } : { kind: 'remove', object: draft };
}

/** A namespace goes when its own finalizers, kept in the spec, are done with what is inside. */
function namespaceStep(draft: Draft, now: number): Step {
  const held = (draft['spec']?.finalizers ?? []).length > 0 || (draft.metadata.finalizers ?? []).length > 0;
  if (!held) return { kind: 'remove', object: draft };
  if (draft.metadata.deletionTimestamp) return { kind: 'wait' };
  draft.metadata.deletionTimestamp = timestamp(now);
  draft['status'] = { ...draft['status'], phase: 'Terminating' };
  return { kind: 'mark', object: draft };
}

/** A definition outlives its objects: they go first. */
function beginCleanUp(draft: Draft, now: number): void {
  draft.metadata.deletionTimestamp = timestamp(now);
  const finalizers = draft.metadata.finalizers ?? [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) draft.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: timestamp(now),
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  draft['status'] = { ...draft['status'], conditions: [...(draft['status']?.conditions ?? []), condition] };
}

/** The garbage collector's two finalizers say what becomes of dependents; the request decides which of them is set. */
function finalizersAfter(kind: KindDefinition, finalizers: readonly string[], options: DeleteOptions): string[] {
  const rest = finalizers.filter(finalizer => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  switch (options.propagation ?? inherited(kind, finalizers)) {
    case 'Orphan':
      return [...rest, ORPHAN];
    case 'Foreground':
      return [...rest, FOREGROUND];
    case 'Background':
      return rest;
  }
}

function inherited(kind: KindDefinition, finalizers: readonly string[]): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  if (finalizers.includes(FOREGROUND)) return 'Foreground';
  // Jobs are older than the garbage collector, and their Pods stayed: batch/v1 keeps to that.
  return kind.group === 'batch' && kind.kind === 'Job' ? 'Orphan' : 'Background';
}

/** What the client says it deletes has to be what is there. */
export function checkPreconditions(kind: KindDefinition, { metadata }: Stored, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const subject = { ...kind, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, metadata.name!, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(subject, metadata.name!, why);
  }
}
