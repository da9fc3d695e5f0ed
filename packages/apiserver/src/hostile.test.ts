import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FullAnswer } from './answer.ts';
import type { RequestBody, ServerRequest } from './request.ts';
import { ADMIN, type ApiServer, createApiServer } from './server.ts';

/** Whatever comes in, the answer is an answer: nothing that a client sends may be a failure of the server's own. */

let server: ApiServer;
let failures: unknown[];
beforeEach(async () => {
  failures = [];
  server = await createApiServer({ onError: error => failures.push(error) });
});
afterEach(() => server.close());

const send = (request: Partial<ServerRequest> & { body?: RequestBody }): Promise<FullAnswer> =>
  server.handle({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: { kind: 'none' },
    user: ADMIN,
    signal: new AbortController().signal,
    ...request,
  });

const bytes = (text: string): RequestBody => ({ kind: 'bytes', bytes: Buffer.from(text) });
const json = (value: unknown): RequestBody => bytes(JSON.stringify(value));

function statusOf({ answer }: FullAnswer): number {
  switch (answer.kind) {
    case 'entry':
    case 'value':
    case 'text':
      return answer.status;
    default:
      return 200;
  }
}

const PATHS = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps/x',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/pods/x/status',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/deployments/x',
  '/apis/apps/v1/namespaces/default/deployments/x/scale',
  '/apis/apps/v1/namespaces/default/statefulsets',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/batch/v1/namespaces/default/cronjobs',
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];

/** JSON in the shape of an object more often than not, so that it gets past the door. */
const field = fc.constantFrom(
  'metadata',
  'spec',
  'data',
  'status',
  'template',
  'containers',
  'name',
  'labels',
  'ports',
);
const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.jsonValue(),
    fc.dictionary(fc.oneof(field, fc.string()), tie('value')),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
})).value;
const object = fc.record(
  {
    metadata: fc.oneof(
      value,
      fc.record({ name: fc.oneof(fc.constantFrom('x', 'y'), fc.string()) }),
      fc.record({ name: fc.constantFrom('x', 'y'), labels: value, annotations: value, finalizers: value }),
    ),
    spec: value,
    data: value,
    status: value,
  },
  { requiredKeys: [] },
);
const contentType = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'nonsense',
);
const parameters = fc.dictionary(
  fc.constantFrom(
    'limit',
    'continue',
    'resourceVersion',
    'labelSelector',
    'fieldSelector',
    'fieldManager',
    'force',
    'dryRun',
  ),
  fc.oneof(fc.string(), fc.constantFrom('1', '0', '-1', 'All', 'true', 'a=b', 'metadata.name=x')),
);

describe('whatever comes in', () => {
  it('is answered, and the server is as well as before', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'),
        fc.oneof(
          fc.constantFrom(...PATHS),
          fc.webPath(),
          fc.string().map(text => `/api/v1/${text}`),
        ),
        parameters,
        contentType,
        fc.oneof(object.map(json), value.map(json), fc.string().map(bytes), fc.constant<RequestBody>({ kind: 'none' })),
        async (method, path, query, type, body) => {
          const answer = await send({
            method,
            path,
            query: new URLSearchParams(query),
            headers: { 'content-type': type },
            body,
          });
          expect(failures).toEqual([]);
          expect(statusOf(answer)).toBeGreaterThanOrEqual(200);
        },
      ),
      { numRuns: 400 },
    );
    expect(statusOf(await send({ body: json({ metadata: { name: 'still-here' } }) }))).toBe(201);
  });

  const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
  const hostile: readonly (readonly [string, string, RequestBody])[] = [
    ['arrays in arrays', 'application/json', bytes(deep('[', ']', 200_000))],
    ['objects in objects', 'application/json', bytes(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['YAML that multiplies itself', 'application/yaml', bytes(laughs(12))],
    ['YAML in YAML', 'application/yaml', bytes(`a: ${deep('[', ']', 50_000)}`)],
    ['a name of a megabyte', 'application/json', json({ metadata: { name: 'a'.repeat(1 << 20) } })],
    ['a hundred thousand labels', 'application/json', json({ metadata: { name: 'l', labels: many(100_000) } })],
    ['no text at all', 'application/json', { kind: 'bytes', bytes: Buffer.from([0xff, 0xfe, 0x00, 0x80]) }],
  ];
  it.each(hostile)('%s end in 4xx', async (_, type, body) => {
    const status = statusOf(await send({ headers: { 'content-type': type }, body }));
    expect(failures).toEqual([]);
    expect([status, status >= 400 && status < 500]).toEqual([status, true]);
  });

  it('a key that is the name of a prototype is a key like any other', async () => {
    const text = '{"metadata":{"name":"p"},"__proto__":{"admin":true},"data":{"__proto__":"x","constructor":"y"}}';
    const { answer } = await send({ body: bytes(text) });
    const { object } = (answer as Extract<typeof answer, { kind: 'entry' }>).entry;
    expect(Object.entries(object['data'])).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(object['admin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('a JSON patch that doubles its object again and again ends in 4xx', async () => {
    await send({ body: json({ metadata: { name: 'x' }, data: { a: 'aaaaaaaaaa' } }) });
    const copies = Array.from({ length: 5_000 }, (_, n) => ({ op: 'copy', from: '/data', path: `/data/c${n}` }));
    const answer = await send({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/configmaps/x',
      headers: { 'content-type': 'application/json-patch+json' },
      body: json(copies),
    });
    expect(failures).toEqual([]);
    expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
    expect(statusOf(answer)).toBeLessThan(500);
  });

  it.each([
    ['labelSelector', `a in (${'x,'.repeat(100_000)}x)`],
    ['labelSelector', '('.repeat(10_000)],
    ['fieldSelector', 'metadata.name='.repeat(5_000)],
    ['continue', 'A'.repeat(1 << 20)],
    ['limit', '9'.repeat(1000)],
    ['resourceVersion', '9'.repeat(1000)],
  ])('a %s of any size is answered', async (name, text) => {
    await send({ method: 'GET', query: new URLSearchParams({ [name]: text }) });
    expect(failures).toEqual([]);
  });
});

/** The billion laughs: each line holds ten of the line before. */
function laughs(levels: number): string {
  const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (let level = 1; level < levels; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`-bad-${n}`, 'x']));
