/** `metadata.managedFields` as a table of managers, and back. */
import type { ManagedFieldsEntry } from '@capstan/kube';
import { decodeFields, encodeFields } from './fields-v1.ts';
import type { FieldSet } from './fieldset.ts';
import { compareStrings, jsonString, quoted } from './go-text.ts';
import { isMap } from './json-value.ts';
import { PathElementError } from './path-element.ts';

export type Operation = 'Apply' | 'Update';

/** What tells managers apart. An applier is one manager in whatever version it applies; an updater is one in each version. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager and what it owns, in the version in which it wrote. */
export interface Manager extends ManagerIdentity {
  readonly set: FieldSet;
  readonly time: string | undefined;
}

/** By `managerKey`. */
export type Managers = ReadonlyMap<string, Manager>;

/** Sorts as Kubernetes sorts managers, so it is written as Go writes it. */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = manager === '' ? '' : `"manager":${jsonString(manager)},`;
  const version = operation === 'Apply' || apiVersion === '' ? '' : `,"apiVersion":${jsonString(apiVersion)}`;
  const part = subresource === '' ? '' : `,"subresource":${jsonString(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}

/** `metadata.managedFields` cannot be read; the message is Kubernetes'. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** Throws ManagedFieldsError. */
export function decodeManagers(entries: readonly unknown[]): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const manager = decodeEntry(isMap(entry) ? entry : {}, index);
    managers.set(managerKey(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: Readonly<Record<string, unknown>>, index: number): Manager {
  const { operation, apiVersion, fieldsType } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === undefined || fieldsType === '') {
    throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType ${quoted(String(fieldsType))} in managed fields entry ${index}`);
  }
  const manager = known.get(entry);
  if (manager !== undefined) return manager;
  const decoded: Manager = {
    manager: text(entry['manager']),
    operation,
    apiVersion,
    subresource: text(entry['subresource']),
    set: decodeSet(entry['fieldsV1']),
    time: normalTime(entry['time']),
  };
  if (decoded.set === entry['fieldsV1'] && Object.isFrozen(entry)) {
    known.set(entry, decoded);
    origins.set(decoded, entry as ManagedFieldsEntry);
  }
  return decoded;
}

/** Stored entries are frozen and live through many writes: each is read once, and given back as it is while it stays true. */
const known = new WeakMap<object, Manager>();
const origins = new WeakMap<Manager, ManagedFieldsEntry>();

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function decodeSet(fields: unknown): FieldSet {
  try {
    return decodeFields(fields);
  } catch (error) {
    // A key may hold JSON that is nested too deeply to be read.
    if (!(error instanceof PathElementError || error instanceof RangeError)) throw error;
    throw new ManagedFieldsError(`error decoding set: ${error.message}`, { cause: error });
  }
}

/** Kubernetes keeps times to the second, in UTC. */
function normalTime(time: unknown): string | undefined {
  if (typeof time !== 'string' || time === '') return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time)) return time;
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) throw new ManagedFieldsError(`cannot parse ${quoted(time)} as a time`);
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Undefined where nobody manages anything. Entries that nothing happened to are given back as they came. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(inOrder).map(encodeEntry);
}

function encodeEntry(manager: Manager): ManagedFieldsEntry {
  const origin = origins.get(manager);
  if (origin !== undefined) return origin;
  return {
    ...(manager.manager === '' ? {} : { manager: manager.manager }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFields(manager.set),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  };
}

/** Appliers first, then the oldest. */
function inOrder(a: Manager, b: Manager): number {
  return (
    compareStrings(a.operation, b.operation) ||
    compareTimes(a.time, b.time) ||
    compareStrings(a.manager, b.manager) ||
    compareStrings(a.apiVersion, b.apiVersion) ||
    compareStrings(a.subresource, b.subresource)
  );
}

/** Normal times sort as text; an absent one counts as 1970. */
export function compareTimes(a = '1970-01-01T00:00:00Z', b = '1970-01-01T00:00:00Z'): number {
  return compareStrings(a, b);
}

/** Undefined where the entries are fine, otherwise what is wrong with them in Kubernetes' words. */
export function managedFieldsProblem(entries: readonly unknown[]): string | undefined {
  try {
    decodeManagers(entries);
    return undefined;
  } catch (error) {
    if (error instanceof ManagedFieldsError) return error.message;
    throw error;
  }
}
