import { gzipSync } from 'node:zlib';
import { createApiServer } from '@capstan/apiserver';
import { type Client, createClient, secrets } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeRelease, encodeRelease } from './encode.ts';
import { revisionsToDrop } from './history-limit.ts';
import type { Journal } from './journal.ts';
import type { Release, ReleaseStatus } from './release.ts';
import { createReleaseStore, type ReleaseStore } from './store.ts';

const release = (version: number, status: ReleaseStatus = 'deployed'): Release => ({
  name: 'app',
  info: { status },
  version,
  namespace: 'default',
  manifest: '---\n',
});
const packed = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64');
/** Text that does not get smaller. */
const noise = (bytes: number): string => Buffer.from(seededRandom(3).bytes(bytes)).toString('base64');

describe('the text of a release', () => {
  it('is JSON, gzipped, as base64; what is unknown comes back as it was', () => {
    const given = { ...release(3), info: { status: 'failed', novelty: 1 }, hooks: [] } as unknown as Release;
    expect(decodeRelease(encodeRelease(given))).toEqual(given);
  });

  it('is read in the form of Helm 3, with empty times and phases', () => {
    const hook = { name: 'h', kind: 'Job', path: 'p', manifest: 'm', events: ['test'] };
    const text = packed({
      ...release(1),
      info: { first_deployed: '2026-01-02T03:04:05.6+02:00', deleted: '', status: 'deployed' },
      hooks: [{ ...hook, last_run: { started_at: '', completed_at: '', phase: '' } }],
    });
    expect(decodeRelease(text)).toMatchObject({ info: { first_deployed: '2026-01-02T03:04:05.6+02:00' } });
    expect(decodeRelease(text).info).not.toHaveProperty('deleted');
    expect(decodeRelease(text).hooks).toEqual([{ ...hook, last_run: { phase: '' } }]);
  });

  it('is read uncompressed, as before Helm 3', () => {
    expect(decodeRelease(Buffer.from(JSON.stringify(release(1))).toString('base64'))).toMatchObject({ name: 'app' });
  });

  it.each(['', 'nonsense', packed([]), packed({ name: 1 })])('is refused when it is none: %s', text => {
    expect(() => decodeRelease(text)).toThrow('the record is not a release');
  });

  const chart = {
    metadata: { name: 'c', version: '1' },
    lock: null,
    templates: [{ name: 't', data: noise(300_000) }],
    values: { a: 1 },
    schema: null,
    files: [{ name: 'f', data: noise(600_000) }],
  };

  it('loses what Helm never reads again when it is too large for a Secret', () => {
    const { chart: kept } = decodeRelease(encodeRelease({ ...release(1), chart }));
    expect(kept).toEqual({ ...chart, files: [] });
  });

  it('is refused when it is still too large', () => {
    const huge = { ...release(1), chart, manifest: noise(1_000_000) };
    expect(() => encodeRelease(huge)).toThrow(
      'the record of release app is larger than a Secret may be (1 MiB), even without',
    );
  });
});

describe('room in the history', () => {
  const history = (...statuses: ReleaseStatus[]) => statuses.map((status, at) => release(at + 1, status));

  it.each([
    ['below the limit nothing goes', history('superseded', 'deployed'), 10, []],
    ['the oldest goes first', history('superseded', 'superseded', 'deployed'), 3, [1]],
    ['the deployed one stays, however old', history('deployed', 'failed', 'failed', 'failed'), 3, [2, 3]],
    ['the last attempt stays, too', history('deployed', 'failed'), 1, []],
    ['0 is no limit', history('superseded', 'superseded', 'deployed'), 0, []],
  ])('%s', (_, given, limit, dropped) => {
    expect(revisionsToDrop(given, limit)).toEqual(dropped);
  });
});

describe('the store', () => {
  let client: Client;
  let store: ReleaseStore;
  const journal: Journal = { id: 'i', operation: 'install', intent: 'x', step: 'apply', sequence: 1 };

  beforeEach(async () => {
    const clock = new SteppedClock();
    const server = await createApiServer({ clock, random: seededRandom(1) });
    client = createClient({ transport: server.transport(), clock });
    store = createReleaseStore(client, 'default', clock);
  });

  it('names and labels a Secret as Helm does, and keeps labels of the user', async () => {
    await store.create({ ...release(1), labels: { team: 'blue' } }, journal);
    const secret = await client.get(secrets, { namespace: 'default', name: 'sh.helm.release.v1.app.v1' });
    expect(secret).toMatchObject({ type: 'helm.sh/release.v1' });
    expect(secret.metadata.labels).toEqual({
      createdAt: '1767225600',
      name: 'app',
      owner: 'helm',
      status: 'deployed',
      team: 'blue',
      version: '1',
    });
    expect((await store.get('app', 1)).release.labels).toEqual({ team: 'blue' });
  });

  it('lets only one of two begin a revision, and only the last reader change it', async () => {
    const stored = await store.create(release(1), { ...journal, lease: { holder: 'a', renewed: '', seconds: 1 } });
    const other = store.create(release(1), { ...journal, lease: { holder: 'b', renewed: '', seconds: 1 } });
    await expect(other).rejects.toMatchObject({ code: 'HeldByAnother' });
    await store.update(stored, release(1, 'failed'), { ...journal, sequence: 2 });
    const late = store.update(stored, release(1), { ...journal, sequence: 5 });
    await expect(late).rejects.toMatchObject({ code: 'LeaseLost' });
  });

  it('orders revisions by number, and is not put off by a record that is broken', async () => {
    for (const version of [2, 10, 1]) await store.create(release(version), journal);
    await client.create(secrets, {
      metadata: { namespace: 'default', name: 'broken', labels: { owner: 'helm', name: 'app' } },
      data: { release: 'bm9uc2Vuc2U=' },
    });
    expect((await store.history('app')).map(stored => stored.release.version)).toEqual([1, 2, 10]);
    expect(await store.list()).toHaveLength(3);
  });
});
