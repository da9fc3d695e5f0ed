/** Events have two faces, `v1` and `events.k8s.io/v1`, and are stored with the first. They differ in field names only. */
import { deepClone } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';

const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['source', 'deprecatedSource'],
  ['message', 'note'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const toEvents = new Map(RENAMED);
const toCore = new Map(RENAMED.map(([core, events]) => [events, core]));

export function eventFromStorage(stored: Stored): Draft {
  return { ...rename(deepClone(stored), toEvents), apiVersion: 'events.k8s.io/v1' };
}

export function eventToStorage(draft: Draft): Draft {
  return { ...rename(draft, toCore), apiVersion: 'v1' };
}

function rename(event: Stored, names: ReadonlyMap<string, string>): Draft {
  return Object.fromEntries(Object.entries(event).map(([field, value]) => [names.get(field) ?? field, value])) as Draft;
}
