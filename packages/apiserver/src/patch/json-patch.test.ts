import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { applyJsonPatch, jsonPatchProblems } from './json-patch.ts';
import { PatchError } from './patch-error.ts';

function failure(run: () => unknown): { code: number; message: string; detail: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof PatchError) return { code: error.code, message: error.message, detail: error.detail };
    throw error;
  }
  throw new Error('the patch was applied');
}

describe('operations', () => {
  const cases: readonly [name: string, current: Json, patch: Json, expected: Json][] = [
    ['add a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['add replaces a field', { a: 1 }, [{ op: 'add', path: '/a', value: { c: 2 } }], { a: { c: 2 } }],
    ['insert an item', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['append an item', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['count from the end', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/-1' }], { a: [1, 2] }],
    ['remove a field', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['replace a field', { a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replace of a missing field adds it', {}, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replace the document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    ['move', { a: { x: 1 } }, [{ op: 'move', from: '/a', path: '/b' }], { b: { x: 1 } }],
    [
      'copy is deep',
      { a: { x: 1 } },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'add', path: '/b/x', value: 2 },
      ],
      { a: { x: 1 }, b: { x: 2 } },
    ],
    ['test passes', { a: { x: 1, y: 2 } }, [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }], { a: { x: 1, y: 2 } }],
    ['a missing field tests as null', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['escaped names', { 'a/b': { '~c': 1 } }, [{ op: 'replace', path: '/a~1b/~0c', value: 2 }], { 'a/b': { '~c': 2 } }],
    ['an empty patch', { a: 1 }, [], { a: 1 }],
  ];
  test.each(cases)('%s', (_name, current, patch, expected) => {
    const before = JSON.stringify([current, patch]);
    expect(applyJsonPatch(current, patch)).toEqual(expected);
    expect(JSON.stringify([current, patch])).toBe(before);
  });

  test('__proto__ is a name like any other', () => {
    const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(Object.keys(result as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('refusals', () => {
  const rejected = (detail: string) => ({
    code: 422,
    message: 'the server rejected our request due to an error in our request',
    detail,
  });
  const malformed = (message: string) => ({ code: 400, message, detail: message });
  const cases: readonly [name: string, patch: Json, expected: object][] = [
    ['a failed test', [{ op: 'test', path: '/a', value: 2 }], rejected('testing value /a failed: test failed')],
    [
      'a missing way',
      [{ op: 'add', path: '/x/y', value: 2 }],
      rejected('add operation does not apply: doc is missing path: "/x/y": missing value'),
    ],
    [
      'a way through a scalar',
      [{ op: 'add', path: '/a/y', value: 2 }],
      rejected('add operation does not apply: doc is missing path: "/a/y": missing value'),
    ],
    [
      'removing what is not there',
      [{ op: 'remove', path: '/x' }],
      rejected(`error in remove for path: '/x': Unable to remove nonexistent key: x: missing value`),
    ],
    [
      'an index out of range',
      [{ op: 'add', path: '/list/3', value: 1 }],
      rejected(`error in add for path: '/list/3': Unable to access invalid index: 3: invalid index referenced`),
    ],
    ['an unknown operation', [{ op: 'jump', path: '/a' }], rejected('Unexpected kind: jump')],
    ['an inherited operation', [{ op: 'constructor', path: '/a' }], rejected('Unexpected kind: constructor')],
    [
      'no list',
      { op: 'add' },
      malformed('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'),
    ],
    [
      'no operation',
      [3],
      malformed('error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'),
    ],
    [
      'no text',
      [{ op: 'add', path: 3 }],
      malformed(
        'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
      ),
    ],
  ];
  test.each(cases)('%s', (_name, patch, expected) => {
    expect(failure(() => applyJsonPatch({ a: 1, list: [] }, patch))).toEqual(expected);
  });

  test('more than ten thousand operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }));
    const words = 'The allowed maximum operations in a JSON patch is 10000, got 10001';
    expect(failure(() => applyJsonPatch({ a: 1 }, patch))).toEqual({ code: 413, message: words, detail: words });
  });

  test('a document copied into itself until it is too large', () => {
    const patch = Array.from({ length: 10_000 }, (_, i) => ({ op: 'copy', from: '/a', path: `/a/x${i}` }));
    expect(failure(() => applyJsonPatch({ a: { text: 'x'.repeat(1000) } }, patch))).toMatchObject({ code: 422 });
  });
});

test('fields that no operation has are reported for field validation', () => {
  expect(jsonPatchProblems([{ op: 'add', path: '/a', value: 1, foo: 1 }])).toEqual([
    'json patch unknown field "[0].foo"',
  ]);
});
