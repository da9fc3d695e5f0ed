import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiRequest } from '@capstan/kube';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../server.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-metrics-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

let server: ApiServer;
beforeEach(async () => {
  server = await createApiServer({ authorize: 'rbac', file: join(folder, `${files++}.db`) });
});
afterEach(() => server.close());

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const send = (method: ApiRequest['method'], path: string, more: Partial<ApiRequest> = {}) =>
  server.transport().request({ method, path, ...more });
const create = (name: string, more: Partial<ApiRequest> = {}) =>
  send('POST', CONFIG_MAPS, { body: { metadata: { name } }, ...more });

const metrics = async (): Promise<string> => String((await send('GET', '/metrics')).body);

/** The values of a metric whose labels have all of these. */
async function values(name: string, labels: Record<string, string> = {}): Promise<number[]> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return (await metrics())
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter(line => wanted.every(label => line.includes(label)))
    .map(line => Number(line.slice(line.lastIndexOf(' '))));
}

describe('/metrics', () => {
  it('counts requests by the labels that Kubernetes has', async () => {
    await create('a');
    await create('b');
    await create('a');
    await create('c', { query: { dryRun: 'All' } });
    await send('GET', CONFIG_MAPS);
    await send('GET', '/api/v1/configmaps');
    await send('GET', `${CONFIG_MAPS}/a`);
    await send('PATCH', `${CONFIG_MAPS}/a`, {
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'm' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    });
    await send('DELETE', CONFIG_MAPS);
    const lines = (await metrics()).split('\n').filter(line => line.startsWith('apiserver_request_total{'));
    const series = (verb: string, scope: string, code: number, dryRun = '') =>
      `apiserver_request_total{group="",version="v1",resource="configmaps",subresource="",scope="${scope}",component="apiserver",verb="${verb}",dry_run="${dryRun}",code="${code}"}`;
    expect(lines).toEqual(
      expect.arrayContaining([
        `${series('POST', 'resource', 201)} 2`,
        `${series('POST', 'resource', 409)} 1`,
        `${series('POST', 'resource', 201, 'All')} 1`,
        `${series('LIST', 'namespace', 200)} 1`,
        `${series('LIST', 'cluster', 200)} 1`,
        `${series('GET', 'resource', 200)} 1`,
        `${series('APPLY', 'resource', 200)} 1`,
        `${series('DELETECOLLECTION', 'namespace', 200)} 1`,
      ]),
    );
  });

  it('has a histogram of durations whose last bucket is all of them', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const posted = { verb: 'POST', resource: 'configmaps' };
    const buckets = await values('apiserver_request_duration_seconds_bucket', posted);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect([buckets.length, buckets.at(-1)]).toEqual([24, 3]);
    expect(await values('apiserver_request_duration_seconds_count', posted)).toEqual([3]);
  });

  it('shows the watches that are open, and how much they were told', async () => {
    const stop = new AbortController();
    const stream = await server.transport().watch({
      method: 'GET',
      path: CONFIG_MAPS,
      query: { watch: 'true' },
      signal: stop.signal,
    });
    if (!stream.events) throw new Error('refused');
    const events = stream.events[Symbol.asyncIterator]();
    const first = events.next();
    await create('a');
    await first;
    const watches = { verb: 'WATCH', resource: 'configmaps', scope: 'namespace' };
    expect(await values('apiserver_longrunning_requests', watches)).toEqual([1]);
    expect(await values('apiserver_watch_events_total', { resource: 'configmaps', version: 'v1' })).toEqual([1]);
    stop.abort();
    await expect(events.next()).rejects.toThrow();
    expect(await values('apiserver_longrunning_requests', watches)).toEqual([]);
  });

  it('does not grow with what clients make up', async () => {
    const count = async (): Promise<number> => (await metrics()).split('\n').length;
    await metrics(); // which is counted too
    await send('GET', '/made/up');
    await send('GET', '/apis/made.up/v1/things');
    await send('GET', `${CONFIG_MAPS}/a/first`);
    const before = await count();
    for (let at = 0; at < 50; at++) {
      await send('GET', `/made/up/${at}`);
      await send('GET', `/apis/made${at}.up/v1/things`);
      await send('GET', `${CONFIG_MAPS}/a/other${at}`);
    }
    expect(await count()).toBe(before);
  });

  it('tells of the store and of the process', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => create(`a${at}`)));
    expect(await values('apiserver_resource_objects', { group: '', resource: 'configmaps' })).toEqual([20]);
    expect((await values('apiserver_storage_size_bytes'))[0]).toBeGreaterThan(10_000);
    const [commits] = await values('capstan_store_commit_duration_seconds_count');
    const [writes] = await values('capstan_store_commit_writes_sum');
    expect(writes).toBeGreaterThan(commits!);
    expect(await values('capstan_store_revision')).toEqual([server.backend.store.revision]);
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_start_time_seconds']) {
      expect((await values(name))[0]).toBeGreaterThan(0);
    }
  });

  it('is well-formed: every family is announced once, every line is a name, labels and a number', async () => {
    await create('a');
    const lines = (await metrics()).trimEnd().split('\n');
    const types = lines.filter(line => line.startsWith('# TYPE ')).map(line => line.split(' ')[2]);
    expect(new Set(types).size).toBe(types.length);
    for (const line of lines.filter(one => !one.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\.)*",?)*\})? (\d+(\.\d+)?(e-?\d+)?|\+Inf)$/);
      expect(types.some(type => line.startsWith(type!))).toBe(true);
    }
  });

  it('is for those who may read it, as in Kubernetes: by a rule for the path', async () => {
    const ask = async (...groups: string[]) =>
      (await server.transport({ name: 'ann', groups }).request({ method: 'GET', path: '/metrics' })).status;
    expect(await ask('system:authenticated')).toBe(403);
    expect(await ask('system:monitoring')).toBe(200);
    const { body } = await send('GET', '/');
    expect((body as { paths: string[] }).paths).toContain('/metrics');
  });
});
