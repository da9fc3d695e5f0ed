/** RFC 6902 JSON patch, with the limits and the forgiving corners of Kubernetes' (a `replace` of a missing field adds it). */
import { deepClone, deepEqual, type Json } from '@capstan/kube';
import { goKind } from '../schema/go-text.ts';
import { assign, isObject, type JsonObject, own } from '../schema/json.ts';
import { existingIndex, insertionIndex, locate } from './json-pointer.ts';
import { malformedPatch, PatchError, rejectedPatch } from './patch-error.ts';

/** As many operations as Kubernetes takes. */
const MAX_OPERATIONS = 10_000;
/** Copies may add this many bytes in all: copying a document into itself would double it with each operation. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

const FIELDS = ['op', 'path', 'from', 'value'];

interface Work {
  document: Json;
  copiedBytes: number;
}

/** The object after all operations, as a new object; nothing is applied when one of them fails. */
export function applyJsonPatch(current: Json, patch: Json): Json {
  const operations = decode(patch);
  const work: Work = { document: deepClone(current), copiedBytes: 0 };
  for (const operation of operations) apply(work, operation);
  return work.document;
}

/** Fields that no operation has, for `fieldValidation`: `json patch unknown field "[0].foo"`. */
export function jsonPatchProblems(patch: Json): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) =>
    isObject(operation)
      ? Object.keys(operation)
          .filter(name => !FIELDS.includes(name))
          .map(name => `json patch unknown field "[${index}].${name}"`)
      : [],
  );
}

function decode(patch: Json): JsonObject[] {
  const mismatch = (words: string) => malformedPatch(`error decoding patch: json: cannot unmarshal ${words}`);
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw mismatch(`${goKind(patch)} into Go value of type []handlers.jsonPatchOp`);
  if (patch.length > MAX_OPERATIONS) {
    const words = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw new PatchError(413, words);
  }
  return patch.map(operation => {
    if (operation === null) return {};
    if (!isObject(operation)) throw mismatch(`${goKind(operation)} into Go value of type handlers.jsonPatchOp`);
    for (const name of ['op', 'path', 'from']) {
      const value = operation[name] ?? '';
      if (typeof value !== 'string') {
        throw mismatch(`${goKind(value)} into Go struct field jsonPatchOp.${name} of type string`);
      }
    }
    return operation;
  });
}

const OPERATIONS: Readonly<Record<string, (work: Work, operation: JsonObject) => void>> = {
  add: (work, operation) => add(work.document, 'add', pathOf(operation, 'path', 'add'), operand(operation)),
  remove: (work, operation) => remove(work.document, 'remove', pathOf(operation, 'path', 'remove')),
  replace,
  move(work, operation) {
    const moved = remove(work.document, 'move', pathOf(operation, 'from', 'move'));
    add(work.document, 'move', pathOf(operation, 'path', 'move'), moved);
  },
  copy,
  test,
};

function apply(work: Work, operation: JsonObject): void {
  const kind = typeof operation.op === 'string' ? operation.op : 'unknown';
  const run = own(OPERATIONS, kind);
  if (run === undefined) throw rejectedPatch(`Unexpected kind: ${kind}`);
  run(work, operation);
}

function pathOf(operation: JsonObject, field: 'path' | 'from', kind: string): string {
  const path = operation[field];
  if (typeof path !== 'string') throw rejectedPatch(`${kind} operation failed to decode ${field}: missing value`);
  return path;
}

/** An operation without a value has the value null. */
const operand = (operation: JsonObject): Json => deepClone(operation.value ?? null);

function targetOf(document: Json, kind: string, path: string) {
  const target = locate(document, path);
  if (target === undefined) {
    throw rejectedPatch(`${kind} operation does not apply: doc is missing path: "${path}": missing value`);
  }
  return target;
}

function add(document: Json, kind: string, path: string, value: Json): void {
  const { container, key } = targetOf(document, kind, path);
  if (Array.isArray(container)) container.splice(checked(insertionIndex(container, key), kind, path), 0, value);
  else assign(container, key, value);
}

function remove(document: Json, kind: string, path: string): Json {
  const { container, key } = targetOf(document, kind, path);
  if (Array.isArray(container)) return container.splice(checked(existingIndex(container, key), kind, path), 1)[0]!;
  if (!Object.hasOwn(container, key)) {
    throw rejectedPatch(
      `error in ${kind} for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`,
    );
  }
  const removed = container[key]!;
  delete container[key];
  return removed;
}

function replace(work: Work, operation: JsonObject): void {
  const path = pathOf(operation, 'path', 'replace');
  const value = operand(operation);
  if (path === '') {
    if (typeof value !== 'object' || value === null) {
      throw rejectedPatch('replace operation value must be object or array');
    }
    work.document = value;
    return;
  }
  const { container, key } = targetOf(work.document, 'replace', path);
  if (Array.isArray(container)) container[checked(existingIndex(container, key), 'replace', path)] = value;
  else assign(container, key, value);
}

function copy(work: Work, operation: JsonObject): void {
  const from = pathOf(operation, 'from', 'copy');
  const copied = deepClone(read(work.document, 'copy', from) ?? null);
  work.copiedBytes += JSON.stringify(copied).length;
  if (work.copiedBytes > MAX_COPIED_BYTES) {
    const words = `the accumulated size increase of copy is ${work.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`;
    throw rejectedPatch(`Unable to complete the copy, ${words}`);
  }
  add(work.document, 'copy', pathOf(operation, 'path', 'copy'), copied);
}

function test({ document }: Work, operation: JsonObject): void {
  const path = pathOf(operation, 'path', 'test');
  const actual = path === '' ? document : (read(document, 'test', path) ?? null);
  if (!deepEqual(actual, operation.value ?? null)) throw rejectedPatch(`testing value ${path} failed: test failed`);
}

/** Undefined for a field that is not there; a missing item of a list is an error. */
function read(document: Json, kind: string, path: string): Json | undefined {
  const { container, key } = targetOf(document, kind, path);
  if (Array.isArray(container)) return container[checked(existingIndex(container, key), kind, path)];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function checked(index: number | string, kind: string, path: string): number {
  if (typeof index === 'string') throw rejectedPatch(`error in ${kind} for path: '${path}': ${index}`);
  return index;
}
