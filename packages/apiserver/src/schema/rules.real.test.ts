/** The words of `rules.cases.fixture.ts` and `ratcheting.cases.fixture.ts`, asked of a real API server: each case is a field of one custom resource. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { until } from '../../../../e2e/real/until.ts';
import { RATCHETING_CASES } from './ratcheting.cases.fixture.ts';
import { type Call, callsTo, causesOf, hasRealServer, onceServed } from './real-server.fixture.ts';
import { RULE_CASES } from './rules.cases.fixture.ts';
import type { Schema } from './schema.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CASES = '/apis/example.com/v1/cases';
const ALL = [...RULE_CASES, ...RATCHETING_CASES];
let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

const crd = (schemas: Record<string, unknown>) => ({
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
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: schemas } } } },
      },
    ],
  },
});

const isRuled = (schema: Schema): boolean => JSON.stringify(schema).includes('x-kubernetes-validations');

/** Old values are stored before the rules exist: some of them do not hold. */
beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  const free = { 'x-kubernetes-preserve-unknown-fields': true };
  expect(causesOf(await call('POST', CRDS, crd(Object.fromEntries(ALL.map((_, i) => [`c${i}`, free])))))).toEqual([]);
  for (const [i, { old }] of ALL.entries()) {
    if (old === undefined) continue;
    const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata: { name: `o${i}` }, spec: { [`c${i}`]: old } };
    expect(causesOf(await onceServed(call, 'POST', CASES, body))).toEqual([]);
  }
  const ruled = crd(Object.fromEntries(ALL.map(({ schema }, i) => [`c${i}`, schema])));
  const path = `${CRDS}/cases.example.com`;
  expect(causesOf(await call('PATCH', path, { spec: ruled.spec }, 'application/merge-patch+json'))).toEqual([]);
  await onceRuled();
});

/** A definition takes effect a moment after it is written: until then, what a rule forbids is accepted. */
async function onceRuled(): Promise<void> {
  const index = ALL.findIndex(({ old, messages }) => old === undefined && messages.length > 0);
  const body = {
    apiVersion: 'example.com/v1',
    kind: 'Case',
    metadata: { name: 'a' },
    spec: { [`c${index}`]: ALL[index]!.value },
  };
  await until('the rules hold', async () => causesOf(await call('POST', `${CASES}?dryRun=All`, body)).length > 0);
}

afterAll(async () => {
  await close?.();
  await server?.stop();
});

test.skipIf(!hasRealServer).each(ALL.map((each, index) => ({ ...each, index })))('$name', async each => {
  const field = `c${each.index}`;
  const isUpdate = each.old !== undefined;
  const metadata = { name: isUpdate ? `o${each.index}` : 'a', labels: { changed: 'yes' } };
  const body = { apiVersion: 'example.com/v1', kind: 'Case', metadata, spec: { [field]: each.value } };
  const answer = isUpdate
    ? await call(
        'PATCH',
        `${CASES}/o${each.index}?dryRun=All`,
        [
          { op: 'replace', path: `/spec/${field}`, value: each.value },
          { op: 'add', path: '/metadata/labels', value: { changed: 'yes' } },
        ],
        'application/json-patch+json',
      )
    : await call('POST', `${CASES}?dryRun=All`, body);
  const said = causesOf(answer)
    .map(message => message.replaceAll(`spec.${field}`, 'spec.x'))
    // Another case's rules were not run: that is none of this one's business.
    .filter(
      message => isRuled(each.schema) || !message.startsWith('<nil>: Invalid value: null: some validation rules'),
    );
  expect(said.sort()).toEqual([...each.messages].sort());
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
