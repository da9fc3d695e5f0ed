/** The texts of `formats.cases.fixture.ts`, asked of a real API server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { FORMAT_CASES } from './formats.cases.fixture.ts';
import { type Call, callsTo, causesOf, hasRealServer, onceServed } from './real-server.fixture.ts';

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  const formats = Object.keys(FORMAT_CASES).map(format => [format, { type: 'string', format }] as const);
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: Object.fromEntries(formats) } },
  };
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

test.skipIf(!hasRealServer).each(Object.entries(FORMAT_CASES))('format %s', async (format, { valid, invalid }) => {
  const accepts = async (text: string): Promise<boolean> => {
    const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata: { name: 'a' }, spec: { [format]: text } };
    return causesOf(await onceServed(call, 'POST', '/apis/example.com/v1/cases?dryRun=All', body)).length === 0;
  };
  const accepted: string[] = [];
  for (const text of [...valid, ...invalid]) if (await accepts(text)) accepted.push(text);
  expect(accepted).toEqual(valid);
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
