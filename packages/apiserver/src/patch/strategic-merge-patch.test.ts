import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { builtinKinds } from '../builtins/index.ts';
import { PatchError } from './patch-error.ts';
import { DEPLOYMENT, pick, STRATEGIC_CASES } from './strategic-merge-patch.cases.fixture.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const { schema } = [...builtinKinds()].find(({ group, plural }) => group === 'apps' && plural === 'deployments')!;

describe('strategic merge patch', () => {
  test.each(STRATEGIC_CASES)('$name', ({ patch, at, expected }) => {
    const before = JSON.stringify([DEPLOYMENT, patch]);
    const found = pick(applyStrategicMergePatch(DEPLOYMENT as unknown as Json, patch, schema), at);
    // An empty map is written as no map.
    expect(expected === undefined && JSON.stringify(found) === '{}' ? undefined : found).toEqual(expected);
    expect(JSON.stringify([DEPLOYMENT, patch])).toBe(before);
  });

  const inPod = (spec: Json): Json => ({ spec: { template: { spec } } });
  test.each([
    [
      'keys beyond those retained',
      { spec: { strategy: { $retainKeys: ['type'], rollingUpdate: {} } } },
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'retained keys that are no list',
      { spec: { strategy: { $retainKeys: 'type' } } },
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'an item without its merge key',
      inPod({ containers: [{ image: 'x' }] }),
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'an unknown directive',
      inPod({ nodeSelector: { $patch: 'shred' } }),
      500,
      'unknown patch type: shred in map: map[$patch:shred]',
    ],
    ['lists of lists', { metadata: { finalizers: [['x']] } }, 422, 'lists of lists are not supported'],
    [
      'items of different kinds',
      { metadata: { finalizers: [1] } },
      500,
      'list element types are not identical: [[example.com/a example.com/b example.com/c] [1]]',
    ],
    ['no object', [], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [
      'an order that contradicts the patch',
      inPod({ '$setElementOrder/containers': [{ name: 'main' }], containers: [{ name: 'side', image: 'x' }] }),
      500,
      "The order in patch list:\n[map[image:x name:side]]\n doesn't match $setElementOrder list:\n[map[name:main]]\n",
    ],
  ] satisfies [string, Json, number, string][])('%s is refused', (_name, patch, code, detail) => {
    const run = () => applyStrategicMergePatch(DEPLOYMENT as unknown as Json, patch, schema);
    expect(run).toThrow(PatchError);
    try {
      run();
    } catch (error) {
      expect(error).toMatchObject({ code, detail });
    }
  });
});
