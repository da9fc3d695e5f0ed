/** Random schemas and values: what a real API server stores of them, or says against them, is what we do. */
import { deepClone, type Json } from '@capstan/kube';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { schemaErrors } from '../crd/schema-errors.ts';
import type { JsonSchema } from '../crd/types.ts';
import { errorMessage } from '../field-error.ts';
import { applyDefaults } from './defaults.ts';
import { prune } from './prune.ts';
import { randomSchema, randomValue } from './random-schemas.fixture.ts';
import { type Call, callsTo, causesOf, hasRealServer, onceServed } from './real-server.fixture.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const SEED = Number(process.env.CAPSTAN_SEED ?? 20261115);
const inSpec = (x: Schema): Schema => ({ type: 'object', properties: { spec: { type: 'object', properties: { x } } } });
const schemas = fc
  .sample(randomSchema(), { numRuns: 300, seed: SEED })
  .filter(schema => schemaErrors(inSpec(schema) as JsonSchema, '', false).length === 0)
  .slice(0, 150);

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  const properties = Object.fromEntries(schemas.map((schema, i) => [`c${i}`, schema]));
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
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    },
  });
  expect(causesOf(made)).toEqual([]);
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

function ours(schema: Schema, value: Json): { said: string[]; stored: Json | undefined } {
  const object = { spec: { x: deepClone(value) } } as { spec: { x: Json } };
  prune(object, inSpec(schema));
  applyDefaults(object, inSpec(schema));
  const said = validate(object, inSpec(schema)).map(errorMessage);
  return { said: said.sort(), stored: said.length > 0 ? undefined : object.spec.x };
}

test.skipIf(!hasRealServer).each(schemas.map((schema, index) => ({ schema, index })))(
  'schema $index',
  async ({ schema, index }) => {
    const field = `c${index}`;
    for (const value of fc.sample(randomValue(), { numRuns: 5, seed: SEED + index })) {
      const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata: { name: 'a' }, spec: { [field]: value } };
      const answer = await onceServed(call, 'POST', '/apis/example.com/v1/cases?dryRun=All', body);
      const said = causesOf(answer).map(message => message.replaceAll(`spec.${field}`, 'spec.x'));
      expect({ schema, value, ...ours(schema, value) }).toEqual({
        schema,
        value,
        said: said.sort(),
        stored: answer.spec?.[field],
      });
    }
  },
);

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
