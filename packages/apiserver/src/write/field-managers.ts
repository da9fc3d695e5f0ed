/** Who owns which field, kept up on every write. The rules are in `apply/`; this ties them to a request. */
import { apiVersionOf, deepClone, type ManagedFieldsEntry, timestamp } from '@capstan/kube';
import { applyConfiguration, conflictStatus, trackUpdate } from '../apply/index.ts';
import type { JsonObject } from '../apply/json-value.ts';
import type { Draft, KindDefinition, Stored } from '../kind.ts';
import { badRequest, failure, StatusError } from '../status.ts';
import { asVersion } from '../storage.ts';
import type { WriteContext } from './context.ts';

/** Who writes what through which endpoint. */
export type Writer = Pick<WriteContext, 'kind' | 'kinds' | 'clock' | 'subresource'> & {
  readonly options: Pick<WriteContext['options'], 'manager'>;
};

function manager(context: Writer) {
  const { kind, options, subresource, clock } = context;
  return {
    schema: kind.schema,
    schemaFor: (apiVersion: string) => otherVersion(context, apiVersion)?.schema,
    convert: (object: JsonObject, apiVersion: string) => {
      const other = otherVersion(context, apiVersion);
      return (other?.custom ? asVersion(other, object as unknown as Stored) : { ...object, apiVersion }) as JsonObject;
    },
    empty: kind.empty,
    manager: options.manager,
    subresource,
    apiVersion: apiVersionOf(kind),
    time: timestamp(clock.now()),
    resetFields: kind.strategy.resetFields(subresource === 'status' ? 'status' : ''),
  };
}

function otherVersion({ kinds, kind }: Writer, apiVersion: string): KindDefinition | undefined {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return kinds.find(group, version, kind.plural);
}

export function trackCreate(context: WriteContext, draft: Draft): void {
  if (context.applying) return; // it carries its managers already
  set(draft, trackUpdate({ ...manager(context), live: undefined, next: draft as unknown as JsonObject }));
}

export function trackUpdated(context: WriteContext, old: Stored, draft: Draft): void {
  if (!context.applying) own(context, old, draft); // else it carries its managers already
}

/** Gives the writer what is new in the draft. */
export function own(writer: Writer, old: Stored, draft: Draft): void {
  set(
    draft,
    trackUpdate({ ...manager(writer), live: old as unknown as JsonObject, next: draft as unknown as JsonObject }),
  );
}

function set({ metadata }: Draft, managedFields: readonly ManagedFieldsEntry[] | undefined): void {
  if (managedFields !== undefined && managedFields.length > 0) metadata['managedFields'] = managedFields;
  else delete metadata['managedFields'];
}

/** Admission may change who owns what, but not into something that is none: then what was worked out before stays. */
export function keepValidManagers({ warn }: WriteContext, admitted: Draft, before: Draft): void {
  const why = managersProblem(admitted.metadata['managedFields'] ?? []);
  if (why === undefined) return;
  set(admitted, before.metadata['managedFields']);
  warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
  );
}

function managersProblem(managedFields: readonly (Partial<ManagedFieldsEntry> | null)[]): string | undefined {
  for (const { operation, fieldsType, fieldsV1 } of managedFields.map(entry => entry ?? {})) {
    if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
    if (fieldsType !== 'FieldsV1') return 'fieldsType must be `FieldsV1`';
    if (typeof fieldsV1 !== 'object' || fieldsV1 === null) return 'fieldsV1 must be an object';
  }
  return undefined;
}

/** The state that an applied configuration leads to; a conflict with another manager is the 409 that names it. */
export function applied(context: WriteContext, current: Stored | undefined, config: Draft): Draft {
  const { kind, options } = context;
  const result = applyConfiguration({
    ...manager(context),
    kind: kind.kind,
    live: current as JsonObject | undefined,
    config: config as unknown as JsonObject,
    force: options.force,
  });
  switch (result.outcome) {
    case 'applied':
      return deepClone(result.object);
    case 'conflict':
      throw new StatusError({ ...conflictStatus(result.conflicts), code: 409 });
    case 'refused':
      throw result.code === 400 ? badRequest(result.message) : failure(500, '', result.message);
  }
}

/** For comparing: a manager that repeats itself only renews its time, and with that its place in the order. */
export function withoutTimes(managedFields: readonly ManagedFieldsEntry[] | undefined): unknown {
  return managedFields?.map(({ time, ...entry }) => JSON.stringify(entry)).sort();
}
