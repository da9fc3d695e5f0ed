/** The words of `validate.cases.fixture.ts`, asked of a real API server: each case is a field of one custom resource. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { schemaErrors } from '../crd/schema-errors.ts';
import type { JsonSchema } from '../crd/types.ts';
import { type Call, callsTo, causesOf, hasRealServer, onceServed } from './real-server.fixture.ts';
import { VALUE_CASES } from './validate.cases.fixture.ts';

/** A null is taken for a missing field before a real server validates; here, what validation itself would say is tested. */
const NOT_ASKED = ['null'];

const inSpec = (x: object): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x } } },
});
const CASES = VALUE_CASES.filter(
  ([name, , schema]) => !NOT_ASKED.includes(name) && schemaErrors(inSpec(schema), '', false).length === 0,
);

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  const properties = Object.fromEntries(CASES.map(([, , schema], index) => [`c${index}`, schema]));
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const made = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cases.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'cases', kind: 'Case' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  expect(causesOf(made)).toEqual([]);
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

test.skipIf(!hasRealServer).each(CASES.map(([name, value, , messages], index) => ({ name, value, messages, index })))(
  '$name',
  async ({ value, messages, index }) => {
    const field = `c${index}`;
    const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata: { name: 'a' }, spec: { [field]: value } };
    const answer = await onceServed(call, 'POST', '/apis/example.com/v1/cases?dryRun=All', body);
    const said = causesOf(answer).map(message => message.replaceAll(`spec.${field}`, 'spec.x'));
    expect(said.sort()).toEqual([...messages].sort());
  },
);

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
