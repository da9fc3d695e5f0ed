import { describe, expect, test } from 'vitest';
import type { FullAnswer } from '../answer.ts';
import type { ServerRequest } from '../request.ts';
import { ADMIN, type ApiServer, createApiServer } from '../server.ts';

async function get(server: ApiServer, url: string, headers: ServerRequest['headers'] = {}) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const { answer, headers: sent }: FullAnswer = await server.handle({
    method: 'GET',
    path: pathname,
    query: searchParams,
    headers,
    body: { kind: 'none' },
    user: ADMIN,
    signal: new AbortController().signal,
  });
  if (answer.kind !== 'document') throw new Error(`a document is expected, not ${JSON.stringify(answer)}`);
  return { status: answer.status, type: answer.type, text: answer.bytes.toString(), headers: sent };
}

async function addressOf(server: ApiServer, path: string): Promise<string> {
  const { paths } = JSON.parse((await get(server, '/openapi/v3')).text);
  return paths[path].serverRelativeURL;
}

function widgets(field: string): object {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

async function define(server: ApiServer, field: string): Promise<void> {
  await server.transport().request({
    method: 'PATCH',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
    query: { fieldManager: 'test' },
    contentType: 'application/apply-patch+yaml',
    body: widgets(field),
  });
  await expect
    .poll(() => server.backend.kinds.find('example.com', 'v1', 'widgets')?.schema.properties?.['spec']?.properties)
    .toHaveProperty(field);
}

describe('/openapi/v3', () => {
  test('names a document for each group and version, at an address that changes with it', async () => {
    const server = await createApiServer();
    const { text } = await get(server, '/openapi/v3');
    const { paths } = JSON.parse(text);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/autoscaling/v2']));
    expect(paths['apis/apps/v1'].serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    await server.close();
  });

  test('a document at its own address may be kept for good; one without a hash is asked for again', async () => {
    const server = await createApiServer();
    const address = await addressOf(server, 'apis/apps/v1');
    expect((await get(server, address)).headers['cache-control']).toContain('immutable');
    const plain = await get(server, '/openapi/v3/apis/apps/v1');
    expect(plain.headers['cache-control']).toBeUndefined();
    const again = await get(server, '/openapi/v3/apis/apps/v1', { 'if-none-match': plain.headers['etag'] });
    expect(again).toMatchObject({ status: 304, text: '' });
    await server.close();
  });

  test('an address of before leads to the one of now', async () => {
    const server = await createApiServer();
    await define(server, 'size');
    const before = await addressOf(server, 'apis/example.com/v1');
    await define(server, 'color');
    const now = await addressOf(server, 'apis/example.com/v1');
    expect(now).not.toBe(before);
    expect(await get(server, before)).toMatchObject({ status: 301, headers: { location: now } });
    expect((await get(server, now)).text).toContain('"color"');
    await server.close();
  });

  test('answers in JSON only, and to who can read it', async () => {
    const server = await createApiServer();
    const protobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    expect(await get(server, '/openapi/v3/api/v1', { accept: protobuf })).toMatchObject({ status: 406, text: '' });
    const either = await get(server, '/openapi/v3/api/v1', { accept: `${protobuf}, application/json;q=0.5` });
    expect(either).toMatchObject({ status: 200, type: 'application/json' });
    expect(await get(server, '/openapi/v3/apis/example.org/v1')).toMatchObject({ status: 404, text: '' });
    await server.close();
  });
});

describe('/openapi/v2', () => {
  test('is sent in the form that is asked for', async () => {
    const server = await createApiServer();
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const protobuf = await get(server, '/openapi/v2', { accept });
    expect(protobuf.type).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const json = await get(server, '/openapi/v2');
    expect(JSON.parse(json.text).swagger).toBe('2.0');
    expect(json.headers['etag']).toBe(protobuf.headers['etag']);
    expect(await get(server, '/openapi/v2', { accept: 'text/html' })).toMatchObject({ status: 406, text: '' });
    await server.close();
  });

  test('follows custom resources', async () => {
    const server = await createApiServer();
    await define(server, 'size');
    const first = await get(server, '/openapi/v2');
    expect(JSON.parse(first.text).definitions).toHaveProperty(['com.example.v1.Widget']);
    await define(server, 'color');
    const second = await get(server, '/openapi/v2', { 'if-none-match': first.headers['etag'] });
    expect(second).toMatchObject({ status: 200, text: expect.stringContaining('"color"') });
    await server.close();
  });
});
