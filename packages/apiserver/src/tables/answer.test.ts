/** Tables as a client gets them from the server. */
import { type ApiResponse, type KubeObject, systemClock, type WatchEvent } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtinKinds } from '../builtins/index.ts';
import type { OutgoingEvent, Watch } from '../read/watch.ts';
import { type ApiServer, createApiServer } from '../server.ts';
import { expired } from '../status.ts';
import { tableAnswer } from './answer.ts';
import type { Table } from './table.ts';

const START = Date.parse('2026-01-02T03:04:05Z');
const PODS = '/api/v1/namespaces/default/pods';
const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let now: number;
let server: ApiServer;

beforeEach(async () => {
  now = START;
  server = await createApiServer({ clock: { ...systemClock, now: () => now } });
});

afterEach(() => server.close());

const call = (method: string, path: string, body?: object, accept = AS_TABLE): Promise<ApiResponse> =>
  server.transport().request({ method: method as 'GET', ...locationOf(path), headers: { accept }, body });

const locationOf = (path: string) => {
  const [bare, text = ''] = path.split('?');
  return { path: bare!, query: Object.fromEntries(new URLSearchParams(text)) };
};

const tableAt = async (path: string, accept?: string): Promise<Table> =>
  (await call('GET', path, undefined, accept)).body as Table;

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

const createPods = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await call('POST', PODS, pod(name), 'application/json');
};

const namesIn = ({ columnDefinitions }: Table) => columnDefinitions?.map(column => column.name);

describe('an object', () => {
  test('is a table of one row, which carries its metadata', async () => {
    await createPods('web');
    now += 90_000;
    const table = await tableAt(`${PODS}/web`);
    const { metadata } = (await call('GET', `${PODS}/web`, undefined, 'application/json')).body as KubeObject;
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: metadata.resourceVersion },
      rows: [
        {
          cells: ['web', '0/1', 'Pending', '0', '90s', '<none>', '<none>', '<none>', '<none>'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
        },
      ],
    });
  });

  test('that was just created is a table too, with the status of a creation', async () => {
    const { status, body } = await call('POST', PODS, pod('web'));
    expect(status).toBe(201);
    expect((body as Table).rows?.[0]?.cells[0]).toBe('web');
  });

  test('that is not there is a failure, not a table', async () => {
    expect((await call('GET', `${PODS}/none`)).body).toMatchObject({ kind: 'Status', reason: 'NotFound' });
  });

  test('is shown in the older version of Table to who asks for that', async () => {
    await createPods('web');
    const table = await tableAt(`${PODS}/web`, 'application/json;as=Table;v=v1beta1;g=meta.k8s.io');
    expect(table.apiVersion).toBe('meta.k8s.io/v1beta1');
    expect(table.rows?.[0]?.object).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1' });
  });

  test('is itself to who asks for a version of Table that is not there, and takes JSON', async () => {
    await createPods('web');
    const accept = 'application/json;as=Table;v=v2;g=meta.k8s.io, application/json';
    expect((await tableAt(`${PODS}/web`, accept)).kind).toBe('Pod');
  });
});

describe('what a row carries', () => {
  beforeEach(() => createPods('web'));

  test('is nothing with None', async () => {
    expect((await tableAt(`${PODS}?includeObject=None`)).rows?.[0]?.object).toBeNull();
  });

  test('is the object with Object', async () => {
    const { body } = await call('GET', `${PODS}/web`, undefined, 'application/json');
    expect((await tableAt(`${PODS}?includeObject=Object`)).rows?.[0]?.object).toEqual(body);
  });

  test('cannot be anything else', async () => {
    expect((await call('GET', `${PODS}?includeObject=All`)).body).toMatchObject({
      code: 400,
      message:
        "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    });
  });
});

test('a list is paged as any other', async () => {
  await createPods('a', 'b', 'c');
  const first = await tableAt(`${PODS}?limit=2`);
  expect(first.rows?.map(row => row.cells[0])).toEqual(['a', 'b']);
  expect(first.metadata).toMatchObject({ remainingItemCount: 1, continue: expect.stringMatching(/./) });
  const second = await tableAt(`${PODS}?limit=2&continue=${encodeURIComponent(first.metadata.continue!)}`);
  expect(second.rows?.map(row => row.cells[0])).toEqual(['c']);
  expect(second.metadata).not.toHaveProperty('continue');
});

test('the default class for storage is named as such in a list only', async () => {
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  const marked = { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'example.com/disk' };
  await call('POST', classes, { ...storageClass, metadata: { name: 'old', ...marked } });
  now += 5000;
  await call('POST', classes, { ...storageClass, metadata: { name: 'new', ...marked } });
  expect((await tableAt(classes)).rows?.map(row => row.cells[0])).toEqual(['new (default)', 'old']);
  expect((await tableAt(`${classes}/new`)).rows?.[0]?.cells[0]).toBe('new');
});

test('a scale is shown with the number of replicas', async () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  await call('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
  });
  const table = await tableAt('/apis/apps/v1/namespaces/default/deployments/web/scale');
  expect(namesIn(table)).toEqual(['Name', 'Desired', 'Available', 'Age']);
  expect(table.rows?.[0]?.cells).toEqual(['web', 3, 0, '0s']);
});

describe('a watch', () => {
  const watch = async (path: string, count: number): Promise<readonly WatchEvent[]> => {
    const abort = new AbortController();
    const stream = await server.transport().watch({
      method: 'GET',
      ...locationOf(path),
      headers: { accept: AS_TABLE },
      signal: abort.signal,
    });
    if (!stream.events) throw new Error(JSON.stringify(stream.refused));
    const seen: WatchEvent[] = [];
    for await (const event of stream.events) if (seen.push(event) === count) break;
    return seen;
  };
  const tables = (events: readonly WatchEvent[]) => events.map(event => event.object as unknown as Table);

  test('defines the columns in its first event and not again', async () => {
    await createPods('a', 'b');
    const events = await watch(`${PODS}?watch=1`, 2);
    expect(events.map(event => event.type)).toEqual(['ADDED', 'ADDED']);
    expect(tables(events).map(table => table.columnDefinitions?.length ?? 0)).toEqual([9, 0]);
    expect(tables(events).map(table => table.rows?.[0]?.cells[0])).toEqual(['a', 'b']);
  });

  test('of API services defines them every time, as Kubernetes does', async () => {
    for (const name of ['v1.a.example.com', 'v1.b.example.com']) {
      const [version, ...group] = name.split('.');
      const spec = { group: group.join('.'), version, groupPriorityMinimum: 100, versionPriority: 1 };
      await call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { metadata: { name }, spec });
    }
    const events = await watch('/apis/apiregistration.k8s.io/v1/apiservices?watch=1', 2);
    expect(tables(events).map(table => table.columnDefinitions?.length ?? 0)).toEqual([4, 4]);
  });

  test('shows the end of the initial events whatever its rows carry', async () => {
    const wish = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&includeObject=None';
    const [bookmark] = await watch(`${PODS}?watch=1&${wish}`, 1);
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'Table',
        rows: [
          {
            object: {
              kind: 'PartialObjectMetadata',
              metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
            },
          },
        ],
      },
    });
  });

  test('that has expired says so with a Status', () => {
    const expiry = { type: 'ERROR', object: expired('too old').status } as const;
    const failing: Watch = {
      start(sink) {
        sink.send(expiry);
        return () => {};
      },
    };
    const request = {
      kind: builtinKinds()[0]!,
      query: new URLSearchParams(),
      version: 'v1',
      clock: systemClock,
    } as const;
    const answer = tableAnswer({ kind: 'watch', watch: failing }, request);
    const seen: OutgoingEvent[] = [];
    if (answer.kind === 'watch') answer.watch.start({ send: event => seen.push(event), end() {} });
    expect(seen).toEqual([expiry]);
  });
});
