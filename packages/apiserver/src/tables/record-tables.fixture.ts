/**
 * Asks a real API server for tables of the objects in `fixtures/objects.yaml`. To record them anew:
 *
 *     npx node packages/apiserver/src/tables/record-tables.fixture.ts
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Clock, systemClock } from '@capstan/kube';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { GaveUp, until } from '../../../../e2e/real/until.ts';
import { builtinKinds } from '../builtins/index.ts';
import type { Stored } from '../kind.ts';
import type { Cell } from './printer.ts';
import { RECORDINGS, type Recording } from './recorded-tables.fixture.ts';

interface Described {
  readonly object: Stored;
  readonly status?: object;
  readonly deleted?: true;
}

const NAMESPACE = 'tables';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const CUSTOM = { group: 'example.com', kind: 'Widget', plural: 'widgets', namespaced: true };
const RESOURCES: readonly Resource[] = [
  ...builtinKinds(),
  { ...CUSTOM, version: 'v1' },
  { ...CUSTOM, version: 'v1beta1' },
];

type Call = (method: string, path: string, options?: CallOptions) => Promise<Stored>;

interface CallOptions {
  readonly body?: object;
  readonly type?: string;
  readonly accept?: string;
}

/** Creates the objects and gives what the server shows of each kind. */
export async function recordTables(server: RealApiServer, clock: Clock = systemClock): Promise<readonly Recording[]> {
  const dispatcher = new Agent({ connect: { ca: Buffer.from(server.caData, 'base64').toString() } });
  const lines = async (method: string, path: string, options: CallOptions = {}): Promise<readonly Stored[]> => {
    const { body, type = 'application/json', accept = 'application/json' } = options;
    const answer = await request(`${server.url}${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': type, accept },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return (await answer.body.text())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Stored);
  };
  const call: Call = async (...request) => (await lines(...request))[0]!;
  try {
    await createAll(call, clock);
    const bookmarks = await Promise.all(
      RESOURCES.map(async resource => bookmarkCells(await lines('GET', initialEvents(resource), { accept: TABLE }))),
    );
    const recordings: Recording[] = [];
    for (const [index, resource] of RESOURCES.entries()) {
      recordings.push({ ...(await recordList(call, resource, clock)), bookmark: bookmarks[index]! });
    }
    return recordings;
  } finally {
    await dispatcher.close();
  }
}

/** A watch that ends after the bookmark behind the initial events. */
function initialEvents(resource: Resource): string {
  const query =
    'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
  return `${collectionOf(resource)}?${query}`;
}

function bookmarkCells(events: readonly Stored[]): readonly Cell[] {
  return events.find(({ type }) => type === 'BOOKMARK')!['object'].rows[0].cells;
}

async function createAll(call: Call, clock: Clock): Promise<void> {
  await call('POST', '/api/v1/namespaces', { body: { metadata: { name: NAMESPACE } } });
  const text = readFileSync(new URL('./fixtures/objects.yaml', import.meta.url), 'utf8');
  const all = parse(withTimes(text, clock.now()), { merge: true }) as Described[];
  for (const { object, status, deleted } of all) {
    const path = collectionOf(resourceOf(object));
    // A kind that was only just defined is not served at once.
    await until(`${object['kind']} ${object.metadata.name} is created`, async () => {
      const answer = await call('POST', path, { body: object });
      if (answer['code'] !== undefined && answer['code'] !== 404) throw new GaveUp(answer['message']);
      return answer['code'] === undefined;
    });
    const name = `${path}/${object.metadata.name}`;
    if (status)
      await succeed(call('PATCH', `${name}/status`, { body: { status }, type: 'application/merge-patch+json' }));
    if (deleted) await succeed(call('DELETE', name));
  }
}

async function succeed(answer: Promise<Stored>): Promise<void> {
  const { code, message } = (await answer) as { code?: number; message?: string };
  if (code !== undefined && code >= 400) throw new Error(message);
}

/** `ago 5m30s` and `micro ago 75s` become timestamps. */
function withTimes(text: string, now: number): string {
  const units = { d: 86_400, h: 3600, m: 60, s: 1 };
  return text.replace(/(micro )?\bago ((?:\d+[dhms])+)/g, (_, micro: string | undefined, span: string) => {
    const seconds = [...span.matchAll(/(\d+)([dhms])/g)].map(
      ([, amount, unit]) => Number(amount) * units[unit as keyof typeof units],
    );
    const time = new Date(now - seconds.reduce((sum, each) => sum + each, 0) * 1000).toISOString().slice(0, 19);
    return `'${time}${micro ? '.000000' : ''}Z'`;
  });
}

function resourceOf(object: Stored): Resource {
  return RESOURCES.find(
    ({ group, version, kind }) =>
      kind === object['kind'] && [group, version].filter(part => part !== '').join('/') === object['apiVersion'],
  )!;
}

function collectionOf({ group, version, plural, namespaced }: Resource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? `/namespaces/${NAMESPACE}` : ''}/${plural}`;
}

/** The server's own roles are many and look like ours. */
const OURS = `labelSelector=${encodeURIComponent('!kubernetes.io/bootstrapping')}`;

/** Ages are told in seconds: the answers are good when no second has passed while they were made. */
async function recordList(call: Call, resource: Resource, clock: Clock): Promise<Omit<Recording, 'bookmark'>> {
  const path = collectionOf(resource);
  for (;;) {
    const now = clock.now();
    const table = await call('GET', `${path}?${OURS}&includeObject=None`, { accept: TABLE });
    const second = Math.floor(now / 1000);
    if (Math.floor(clock.now() / 1000) !== second) continue;
    const list = await call('GET', `${path}?${OURS}`);
    if (list.metadata.resourceVersion !== table.metadata.resourceVersion) continue;
    const { group, version, plural } = resource;
    return { group, version, plural, now, metadata: list.metadata, items: list['items'].map(withoutOwners), table };
  }
}

/** Who set which field is half of an object's text, and no cell shows it. */
function withoutOwners({ metadata: { managedFields: _, ...metadata }, ...object }: Stored): Stored {
  return { ...object, metadata };
}

if (import.meta.main) {
  const server = await startRealApiServer();
  mkdirSync(RECORDINGS, { recursive: true });
  for (const recording of await recordTables(server)) {
    const { group, version, plural } = recording;
    const file = `${plural}.${group === '' ? 'core' : group}.${version}.json`;
    writeFileSync(new URL(file, RECORDINGS), `${JSON.stringify(recording, null, 1)}\n`);
  }
  await server.stop();
}
