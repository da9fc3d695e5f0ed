/**
 * Cases that a real kube-apiserver has answered. `<topic>.cases.yaml` is written by hand, `<topic>.answers.json` is recorded by
 * scripts/schemas/record-answers.ts.
 */
import { deepClone } from '@capstan/kube';

type JsonObject = Record<string, unknown>;

/** As written: an object of `bases.yaml`, how it differs, and for updates the JSON merge patch that follows its creation. */
export interface Case {
  readonly name: string;
  readonly base: string;
  readonly with?: JsonObject;
  readonly patch?: JsonObject;
  readonly through?: 'status';
}

export interface RecordedAnswer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings?: readonly string[];
}

export interface RecordedCase {
  readonly name: string;
  /** As sent, or for an update as it was stored before. */
  readonly object: JsonObject;
  readonly patch?: JsonObject;
  readonly through?: 'status';
  readonly answer: RecordedAnswer;
}

export function expandCase(one: Case, bases: Readonly<Record<string, JsonObject>>): JsonObject {
  const base = bases[one.base];
  if (base === undefined) throw new Error(`there is no base ${one.base}`);
  return mergePatch(deepClone(base), one.with ?? {}) as JsonObject;
}

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SOME_TIME = '2026-01-02T03:04:05Z';
export const SOME_UID = '11111111-2222-4333-8444-555555555555';

/** What no two runs have in common. */
const VOLATILE = ['creationTimestamp', 'resourceVersion', 'managedFields'];

/** An answer without what differs from run to run: times, versions, uids, addresses that the server chose. */
export function cleanAnswer(code: number, body: JsonObject, warnings?: string | readonly string[]): RecordedAnswer {
  const object = deepClone(body);
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  for (const field of VOLATILE) delete metadata[field];
  const text = JSON.stringify(object)
    .replaceAll(/"(lastPhaseTransitionTime|lastTransitionTime)":"[^"]*"/g, `"$1":"${SOME_TIME}"`)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, SOME_UID);
  const cleaned = JSON.parse(text) as JsonObject;
  const list = warnings === undefined ? [] : typeof warnings === 'string' ? [warnings] : warnings;
  return {
    code,
    body: cleaned,
    ...(list.length > 0 && {
      warnings: list.flatMap(line =>
        [...line.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(found => unquoted(found[1]!)),
      ),
    }),
  };
}

/** In a Warning header, quotes and backslashes have a backslash before them. */
function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}
