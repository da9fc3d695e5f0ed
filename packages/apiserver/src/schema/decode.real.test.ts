/** YAML and JSON bodies: a real API server reads the same out of them, or refuses them with us. */
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { DecodeError, parseJson, parseYaml } from './decode.ts';
import { callsTo, causesOf, hasRealServer, onceServed } from './real-server.fixture.ts';

const YAML: readonly string[] = [
  'a: 1',
  'a: [yes, no, on, off, y, n, true, False, NULL, ~, "yes"]',
  'a: [0777, 0x1F, 0b11, 0o17, 1_000, -5, +5, 1e3, .5, 1., 1.5e-3, -.5, 08, 09.5]',
  'a: [2026-11-15, 2026-11-15T22:00:00Z, 1:20, 12:30:45, 1.2.3, 500m, 10Mi]',
  'yes: 1\n1: 2\n1.5: 3\n~a: 4',
  'a: !!str 1\nb: !!int "2"\nc: !!float 3',
  'a: |\n  x\n   y\n\nb: >-\n  x\n  y\nc: |+\n  z\n\n',
  'base: &b {x: 1, z: 2}\nc:\n  <<: *b\n  z: 3\nd: *b',
  'c:\n  <<: [{x: 1}, {x: 2, w: 3}]\n  q: 1',
  "a: \"\\u0041\\n\\x41\"\nb: 'it''s'\nc: plain text # comment",
  'a:\n- 1\n- - 2\n  - 3\n- k: v',
  'a: {b: [c, {d: e}], "f g": h}',
  'a: ""\nb: \'\'\nc:\nd: null',
  'a: 123456789012345678901234567890',
  'a: 9007199254740991\nb: -9007199254740991',
  'a: .inf',
  'a: <<',
  'a: 1\na: 2',
  'a: [1',
  'a: b: c',
  '\ta: 1',
  'a: *nowhere',
  'a: 1\n---\nb: 2',
  '- 1',
  'a: @x',
  'a: `x`',
  'a: %x',
  'a: "unclosed',
  '? a\n: 1',
  '{a: 1, b}',
  'a: - b',
  '"quoted key": 1\n\'other\': 2',
];

let server: RealApiServer | undefined;
let close: () => Promise<void>;
let post: (body: string, type: string) => Promise<{ code?: number; spec?: unknown; message?: string }>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  const { url, token, caData } = server;
  const { call, close: closeCalls } = callsTo(server);
  const dispatcher = new Agent({ connect: { ca: Buffer.from(caData, 'base64').toString() } });
  close = async () => {
    await closeCalls();
    await dispatcher.close();
  };
  const spec = { 'x-kubernetes-preserve-unknown-fields': true };
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
  await onceServed(call, 'GET', '/apis/example.com/v1/cases');
  post = async (body, type) => {
    const answer = await request(`${url}/apis/example.com/v1/cases?dryRun=All`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    });
    return (await answer.body.json()) as object;
  };
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

const decoded = (parse: (bytes: Buffer) => { value: unknown }, text: string): unknown => {
  try {
    return (parse(Buffer.from(text)).value as { spec?: unknown } | null)?.spec ?? null;
  } catch (error) {
    if (error instanceof DecodeError) return 'refused';
    throw error;
  }
};

test.skipIf(!hasRealServer).each(YAML)('YAML %j', async text => {
  const indented = text
    .split('\n')
    .map(line => (line === '---' ? line : `  ${line}`))
    .join('\n');
  const body = `apiVersion: example.com/v1\nkind: Case\nmetadata: {name: a}\nspec:\n${indented}\n`;
  const answer = await post(body, 'application/yaml');
  const theirs = answer.code === undefined ? (answer.spec ?? null) : answer.code === 400 ? 'refused' : answer.message;
  expect(decoded(parseYaml, body)).toEqual(theirs);
});

test
  .skipIf(!hasRealServer)
  .each([
    '{"a":1,"a":2}',
    '{"a":01}',
    '{"a":1.0,"b":1e2}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000\\/"}',
    '{a:1}',
    '[1,]',
    '{"a":NaN}',
    '{"a":\'x\'}',
    '"text"',
    '{"__proto__":{"x":1},"constructor":2}',
  ])('JSON %s', async text => {
  const body = `{"apiVersion":"example.com/v1","kind":"Case","metadata":{"name":"a"},"spec":${text}}`;
  const answer = await post(body, 'application/json');
  const theirs = answer.code === undefined ? (answer.spec ?? null) : answer.code === 400 ? 'refused' : answer.message;
  expect(decoded(parseJson, body)).toEqual(theirs);
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
