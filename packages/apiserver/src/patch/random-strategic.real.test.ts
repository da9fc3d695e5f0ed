/** Random strategic merge patches of a Deployment: a real API server comes to the same result, or refuses with us. */
import { deepClone, type Json } from '@capstan/kube';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { builtinKinds } from '../builtins/index.ts';
import { prune } from '../schema/prune.ts';
import { type Call, callsTo, causesOf, hasRealServer } from '../schema/real-server.fixture.ts';
import { PatchError } from './patch-error.ts';
import { DEPLOYMENT } from './strategic-merge-patch.cases.fixture.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const SEED = Number(process.env.CAPSTAN_SEED ?? 20261115);
const path = '/apis/apps/v1/namespaces/default/deployments';
const { schema } = [...builtinKinds()].find(({ group, plural }) => group === 'apps' && plural === 'deployments')!;

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;
let current: Json;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  current = await call('POST', path, DEPLOYMENT);
  expect(causesOf(current as object)).toEqual([]);
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

const some = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.uniqueArray(arbitrary, { minLength: 1, maxLength: 3, selector: item => JSON.stringify(item) });
const deletion = fc.record({ $patch: fc.constant('delete') });
const env = some(
  fc
    .tuple(fc.constantFrom('A', 'B', 'C', 'D'), fc.oneof(fc.record({ value: fc.constantFrom('x', 'y') }), deletion))
    .map(([name, rest]) => ({ name, ...rest })),
);
const containerFields = fc.record(
  {
    image: fc.constantFrom('new:1', 'new:2'),
    env,
    args: fc.constantFrom(['z'], null),
    '$setElementOrder/env': some(fc.constantFrom({ name: 'C' }, { name: 'A' }, { name: 'B' })),
  },
  { requiredKeys: ['image'] },
);
const containers = some(
  fc
    .tuple(
      fc.constantFrom('main', 'side', 'third', 'fourth'),
      fc.oneof({ arbitrary: containerFields, weight: 3 }, { arbitrary: deletion, weight: 1 }),
    )
    .map(([name, rest]) => ({ name, ...rest })),
);
const order = some(fc.constantFrom({ name: 'third' }, { name: 'main' }, { name: 'side' }, { name: 'fourth' }));
const finalizer = fc.constantFrom('example.com/a', 'example.com/b', 'example.com/d');
const patches: fc.Arbitrary<Json> = fc
  .tuple(
    fc.record(
      {
        containers,
        '$setElementOrder/containers': order,
        nodeSelector: fc.oneof(
          fc.dictionary(fc.constantFrom('disk', 'zone', 'gpu'), fc.constantFrom('v', null), { maxKeys: 2 }),
          fc.constantFrom(
            { $patch: 'replace', gpu: 'v' },
            { $patch: 'delete' },
            { $retainKeys: ['disk'], disk: 'v' },
            null,
          ),
        ),
        imagePullSecrets: some(
          fc.constantFrom({ name: 'two' }, { name: 'three' }, { name: 'one', $patch: 'delete' }, { $patch: 'replace' }),
        ),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        finalizers: some(finalizer),
        '$deleteFromPrimitiveList/finalizers': some(finalizer),
        '$setElementOrder/finalizers': some(finalizer),
        labels: fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('v', null)),
      },
      { requiredKeys: [] },
    ),
  )
  // Adding to a set and deleting from it in one patch happens in any order, unless an order is set.
  .filter(
    ([, { finalizers, '$deleteFromPrimitiveList/finalizers': deleted, '$setElementOrder/finalizers': ordered }]) =>
      !finalizers || !deleted || Boolean(ordered),
  )
  .map(([spec, metadata]) => ({ metadata, spec: { template: { spec } } })) as fc.Arbitrary<Json>;

interface Shown {
  readonly metadata: { readonly finalizers?: Json; readonly labels?: Json };
  readonly spec: { readonly template: { readonly spec: Readonly<Record<string, Json>> } };
}

/** What a patch can change; a real server fills in defaults of new containers, and writes nothing for what is empty. */
function shown({ metadata, spec }: Shown): Json {
  const pod = spec.template.spec;
  const filled = (value: Json | undefined): Json => (value && Object.keys(value).length > 0 ? value : null);
  return {
    finalizers: filled(metadata.finalizers),
    labels: filled(metadata.labels),
    containers: (pod.containers as { [key: string]: Json }[]).map(({ name, image, env: variables, args }) => ({
      name: name ?? null,
      image: image ?? null,
      env: filled(variables),
      args: filled(args),
    })),
    nodeSelector: filled(pod.nodeSelector),
    imagePullSecrets: filled(pod.imagePullSecrets),
  };
}

function ours(patch: Json): Json {
  try {
    const patched = applyStrategicMergePatch(deepClone(current), patch, schema);
    // A directive in an item that is new is a field that nobody knows.
    prune(patched, schema);
    return shown(patched as unknown as Shown);
  } catch (error) {
    // Of several faults, a real server names the one it happens to come to first.
    if (error instanceof PatchError) return { code: error.code };
    throw error;
  }
}

test.skipIf(!hasRealServer)('strategic merge patches', async () => {
  let applied = 0;
  for (const patch of fc.sample(patches, { numRuns: 600, seed: SEED })) {
    const answer = await call('PATCH', `${path}/web?dryRun=All`, patch, 'application/strategic-merge-patch+json');
    // A patch that leaves an invalid Deployment is not the patch's fault.
    if (answer.code === 422 && answer.details?.kind === 'Deployment') continue;
    const theirs = answer.code ? { code: answer.code } : shown(answer);
    expect({ patch, result: ours(patch) }).toEqual({ patch, result: theirs });
    applied++;
  }
  expect(applied).toBeGreaterThan(200);
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
