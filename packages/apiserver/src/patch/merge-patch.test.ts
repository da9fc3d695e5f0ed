import { deepClone, deepEqual, type Json } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, isObject, type JsonObject } from '../schema/json.ts';
import { applyMergePatch } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';

const cases: readonly [name: string, current: Json, patch: Json, expected: Json][] = [
  ['adds and changes', { a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
  ['null removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['null of a missing field does nothing', {}, { a: null }, {}],
  ['objects merge', { a: { x: 1, y: 2 } }, { a: { x: null, z: 3 } }, { a: { y: 2, z: 3 } }],
  ['lists are replaced', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['a scalar becomes an object without its nulls', { a: 1 }, { a: { x: null, y: 1 } }, { a: { y: 1 } }],
  ['nulls in the objects of a new list go away', {}, { a: [{ x: null, y: 1 }, null] }, { a: [{ y: 1 }, null] }],
];

describe('merge patch', () => {
  test.each(cases)('%s', (_name, current, patch, expected) => {
    const before = JSON.stringify([current, patch]);
    expect(applyMergePatch(current, patch)).toEqual(expected);
    expect(JSON.stringify([current, patch])).toBe(before);
  });

  test.each([
    [[], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
    [null, 'Invalid JSON Patch'],
  ] satisfies [Json, string][])('%j is refused', (patch, message) => {
    expect(() => applyMergePatch({}, patch)).toThrow(new PatchError(400, message));
  });

  test('the difference of two objects, merged into the first, gives the second', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (a, b) => {
        expect(deepEqual(applyMergePatch(a, difference(a, b)), b)).toBe(true);
      }),
    );
  });
});

/** JSON without nulls: a merge patch cannot express them. */
const jsonObject = fc
  .letrec<{ object: JsonObject; value: Json }>(tie => ({
    object: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.string()), tie('value'), {
      maxKeys: 5,
    }) as fc.Arbitrary<JsonObject>,
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.array(fc.integer()),
      tie('object'),
    ) as fc.Arbitrary<Json>,
  }))
  .object.map(deepClone);

function difference(a: JsonObject, b: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(a)) if (!Object.hasOwn(b, key)) assign(patch, key, null);
  for (const key of Object.keys(b)) {
    const before = Object.hasOwn(a, key) ? a[key]! : undefined;
    const after = b[key]!;
    if (deepEqual(before, after)) continue;
    assign(patch, key, isObject(before) && isObject(after) ? difference(before, after) : after);
  }
  return patch;
}
