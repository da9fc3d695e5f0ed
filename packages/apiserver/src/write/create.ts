import type { Draft, KindDefinition, Stored } from '../kind.ts';
import { alreadyExists, badRequest, failure, invalid, StatusError, type Subject } from '../status.ts';
import { keyOf, tableOf } from '../storage.ts';
import { Entry } from '../store/entry.ts';
import { HeadMoved } from '../store/store.ts';
import { strategyContext, type WriteContext } from './context.ts';
import { keepValidManagers, trackCreate } from './field-managers.ts';
import { dropDoubleOwners, generateName, initMetadata, validateMetadata, wipeMetadata } from './metadata.ts';
import { save } from './save.ts';

/** How often another suffix is tried when a generated name is taken. */
const NAME_ATTEMPTS = 8;

/** Creates an object from a decoded draft. */
export async function create(context: WriteContext, draft: Draft): Promise<Entry> {
  settleNamespace(context, draft);
  refuseVersion(draft);
  const admitted = await admit(context, draft);
  const prefix = admitted.metadata.name ? undefined : admitted.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    if (prefix) admitted.metadata.name = generateName(prefix, context);
    try {
      return await createNamed(context, admitted);
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
      if (!prefix || attempt === NAME_ATTEMPTS) throw taken(context, admitted.metadata.name ?? '');
    }
  }
}

/** What admission sees has no uid and no time yet, and no name where that is generated. */
async function admit(context: WriteContext, submitted: Draft): Promise<Draft> {
  wipeMetadata(submitted);
  dropDoubleOwners(submitted, context);
  trackCreate(context, submitted); // before admission: what that adds belongs to nobody
  const admitted = await context.admission.admit({ type: 'CREATE', object: submitted }, context);
  if (admitted !== submitted) {
    settleAdmitted(context, admitted, submitted);
    refuseVersion(admitted);
  }
  return admitted;
}

function refuseVersion({ metadata }: Draft): void {
  if (metadata.resourceVersion) throw failure(500, '', 'resourceVersion should not be set on objects to be created');
}

/** Others had a hand in this object; what holds for a body holds for it again. */
export function settleAdmitted(context: WriteContext, admitted: Draft, submitted: Draft): void {
  keepValidManagers(context, admitted, submitted);
  dropDoubleOwners(admitted, context, 'after admission');
  settleNamespace(context, admitted);
}

function taken({ store, kind, namespace }: WriteContext, name: string): StatusError {
  const exists = alreadyExists(kind, name);
  const there = store.head(tableOf(kind), keyOf(namespace, name));
  if (!there?.object.metadata.deletionTimestamp) return exists;
  return new StatusError({ ...exists.status, message: `object is being deleted: ${exists.status.message}` });
}

async function createNamed(context: WriteContext, draft: Draft): Promise<Entry> {
  initMetadata(draft, context);
  context.kind.strategy.prepareForCreate(draft, strategyContext(context));
  validateNew(context, draft);
  const asked = context.admission.validate({ type: 'CREATE', object: draft }, context);
  if (asked) await asked;
  return insert(context, draft);
}

/** The part that create, and apply of something that is not there yet, have in common: checked and written. */
export function validateNew({ kind, warn }: WriteContext, draft: Draft): void {
  const errors = [...validateMetadata(draft.metadata, kind), ...kind.strategy.validate(draft)];
  if (errors.length > 0) {
    throw invalid(saidToBe(kind, draft), draft.metadata.name ?? draft.metadata.generateName ?? '', errors);
  }
  for (const text of kind.strategy.warnings?.(draft, undefined) ?? []) warn(text);
}

/** Messages about an object call it what it calls itself. */
export function saidToBe(kind: KindDefinition, draft: Draft): Subject {
  return kind.custom && draft.kind ? { group: kind.group, plural: kind.plural, kind: draft.kind } : kind;
}

export async function insert(context: WriteContext, draft: Draft): Promise<Entry> {
  const { store, kind, namespace, options } = context;
  const key = keyOf(namespace, draft.metadata.name!);
  if (options.dryRun) {
    if (store.head(tableOf(kind), key)) throw new HeadMoved();
    return Entry.of(key, store.revision, draft as Stored);
  }
  return save(context, key, undefined, draft);
}

/** The namespace of the path wins; a body that names another one is a mistake worth saying. */
export function settleNamespace({ kind, namespace }: WriteContext, { metadata }: Draft): void {
  if (!kind.namespaced) {
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = namespace!;
}
