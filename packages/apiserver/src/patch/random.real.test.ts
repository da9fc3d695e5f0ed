/** Random JSON and merge patches of a free-form object: a real API server comes to the same result, or refuses with us. */
import type { Json } from '@capstan/kube';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { type Call, callsTo, causesOf, hasRealServer, onceServed } from '../schema/real-server.fixture.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';

const SEED = Number(process.env.CAPSTAN_SEED ?? 20261115);
const CASES = '/apis/example.com/v1/cases';
const OBJECT = { a: { b: 1, c: [1, { d: 2 }, 'x'] }, 'x/y': { '~': null }, list: [[1], []], text: 'abc', none: {} };

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const made = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cases.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'cases', kind: 'Case' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  expect(causesOf(made)).toEqual([]);
  const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata: { name: 'a' }, spec: OBJECT };
  expect(causesOf(await onceServed(call, 'POST', CASES, body))).toEqual([]);
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

const scalar = fc.constantFrom<Json>(null, true, 1, 'x', 'abc', 2);
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'd'), scalar, { maxKeys: 2 }),
) as fc.Arbitrary<Json>;
const part = fc.constantFrom('a', 'b', 'c', 'd', 'x~1y', '~0', 'list', 'text', 'none', '0', '1', '2', '-', '-1', 'new');
const pointer = fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => `/spec/${parts.join('/')}`);
const operation: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
) as fc.Arbitrary<Json>;
const mergePatch: fc.Arbitrary<Json> = fc
  .dictionary(
    fc.constantFrom('a', 'x/y', 'list', 'text', 'none', 'new'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('b', 'c', '~'), value)),
    { maxKeys: 3 },
  )
  .map(spec => ({ spec })) as fc.Arbitrary<Json>;

/** The spec after the patch, or the code with which it is refused. */
function ours(apply: (current: Json, patch: Json) => Json, patch: Json): Json | number {
  try {
    return (apply({ spec: OBJECT as unknown as Json }, patch) as { spec: Json }).spec;
  } catch (error) {
    if (error instanceof PatchError) return error.code;
    throw error;
  }
}

async function theirs(patch: Json, type: string): Promise<Json | number> {
  const answer = await call('PATCH', `${CASES}/a?dryRun=All`, patch, `application/${type}+json`);
  return answer.code ?? answer.spec;
}

test.skipIf(!hasRealServer)('JSON patches', async () => {
  const patches = fc.sample(fc.array(operation, { minLength: 1, maxLength: 3 }), { numRuns: 600, seed: SEED });
  for (const patch of patches) {
    expect({ patch, result: ours(applyJsonPatch, patch) }).toEqual({
      patch,
      result: await theirs(patch, 'json-patch'),
    });
  }
});

test.skipIf(!hasRealServer)('merge patches', async () => {
  for (const patch of fc.sample(mergePatch, { numRuns: 300, seed: SEED })) {
    expect({ patch, result: ours(applyMergePatch, patch) }).toEqual({
      patch,
      result: await theirs(patch, 'merge-patch'),
    });
  }
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
