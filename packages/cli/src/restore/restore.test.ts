import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { writeBackup } from '../backup/backup.ts';
import { askBy } from '../cluster/ask.fixture.ts';
import { openDataFolder } from '../cluster/data-folder.ts';
import { type RunningCluster, startCluster } from '../cluster/start-cluster.ts';
import { restoreBackup } from './restore.ts';
import { filesToRestore } from './restored-files.ts';

const root = mkdtempSync(join(tmpdir(), 'capstan-restore-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const newPath = (): string => join(root, String(count++));

const running = new Set<RunningCluster>();
afterEach(async () => {
  for (const cluster of running) await cluster.stop();
  running.clear();
});
async function start(data: string): Promise<RunningCluster> {
  const cluster = await startCluster({ data, port: await freePort() });
  running.add(cluster);
  return cluster;
}
async function stop(cluster: RunningCluster): Promise<void> {
  running.delete(cluster);
  await cluster.stop();
}
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data = {}): object => ({ metadata: { name }, data });

/** A cluster that wrote `kept`, was backed up while it ran, and wrote `later`. */
async function backedUp() {
  const data = newPath();
  const backup = newPath();
  const cluster = await start(data);
  const ask = askBy(cluster.kubeconfig);
  await ask('POST', CONFIG_MAPS, configMap('kept', { state: 'backed up' }));
  await writeBackup(backup, data);
  const { body } = await ask('POST', CONFIG_MAPS, configMap('later'));
  return { data, backup, cluster, ask, laterVersion: Number(body.metadata.resourceVersion) };
}

describe('a restored cluster', () => {
  it('has the objects of the backup, and none that came later', async () => {
    const { data, backup, cluster } = await backedUp();
    await stop(cluster);
    await restoreBackup(backup, { data, force: true });
    const ask = askBy((await start(data)).kubeconfig);
    expect((await ask('GET', `${CONFIG_MAPS}/kept`)).body.data).toEqual({ state: 'backed up' });
    expect((await ask('GET', `${CONFIG_MAPS}/later`)).status).toBe(404);
  });

  it('is the same cluster elsewhere: a kubeconfig and a token of a service account from before still work', async () => {
    const { backup, cluster } = await backedUp();
    const account = '/api/v1/namespaces/default/serviceaccounts/robot';
    const admin = askBy(cluster.kubeconfig);
    await admin('POST', '/api/v1/namespaces/default/serviceaccounts', configMap('robot'));
    await writeBackup(backup, cluster.dataFolder);
    const { body } = await admin('POST', `${account}/token`, { spec: {} });
    const copies = { kubeconfig: newPath(), account: newPath() };
    cpSync(cluster.kubeconfig, copies.kubeconfig);
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
    config.users[0].user.token = body.status.token;
    writeFileSync(copies.account, JSON.stringify(config));
    await stop(cluster);

    const data = newPath();
    await restoreBackup(backup, { data });
    const again = await start(data);
    expect((await askBy(copies.kubeconfig, 0, again.url)('GET', CONFIG_MAPS)).status).toBe(200);
    expect((await askBy(again.kubeconfig)('GET', CONFIG_MAPS)).status).toBe(200);
    const who = await askBy(copies.account, 0, again.url)('GET', CONFIG_MAPS);
    expect([who.status, who.body.message]).toEqual([403, expect.stringContaining('serviceaccount:default:robot')]);

    await stop(again);
    rmSync(again.kubeconfig);
    const renewed = await start(data);
    expect((await askBy(copies.kubeconfig, 0, renewed.url)('GET', CONFIG_MAPS)).status).toBe(401);
  });

  it('gives out no version a second time, and sends everyone who has seen a later one back to listing', async () => {
    const { data, backup, cluster, laterVersion } = await backedUp();
    const stale = (await askBy(cluster.kubeconfig)('PUT', `${CONFIG_MAPS}/kept`, configMap('kept', { state: 'later' })))
      .body;
    await stop(cluster);
    await restoreBackup(backup, { data, force: true });
    const ask = askBy((await start(data)).kubeconfig);

    for (const version of [
      1,
      laterVersion - 1,
      laterVersion,
      Number(stale.metadata.resourceVersion),
      laterVersion + 100_000,
    ]) {
      const watch = await ask('GET', `${CONFIG_MAPS}?watch=true&resourceVersion=${version}&timeoutSeconds=5`);
      expect([version, watch.body.type, watch.body.object?.code]).toEqual([version, 'ERROR', 410]);
      const exact = await ask('GET', `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=${version}`);
      expect([version, exact.status]).toEqual([version, 410]);
    }
    expect((await ask('PUT', `${CONFIG_MAPS}/kept`, stale)).status).toBe(409);
    const listed = await ask('GET', CONFIG_MAPS);
    const created = await ask('POST', CONFIG_MAPS, configMap('new'));
    const newest = Number(created.body.metadata.resourceVersion);
    expect(newest).toBeGreaterThan(laterVersion + 1_000_000);
    const from = listed.body.metadata.resourceVersion;
    const watch = await ask('GET', `${CONFIG_MAPS}?watch=true&resourceVersion=${from}&timeoutSeconds=1`);
    expect([watch.body.type, watch.body.object.metadata.name]).toEqual(['ADDED', 'new']);
  });

  it('counts on from where an earlier restore of the same backup had come to', async () => {
    const { data, backup, cluster } = await backedUp();
    await stop(cluster);
    const versions: number[] = [];
    for (let round = 0; round < 2; round++) {
      await restoreBackup(backup, { data, force: true });
      const again = await start(data);
      const { body } = await askBy(again.kubeconfig)('POST', CONFIG_MAPS, configMap('new'));
      versions.push(Number(body.metadata.resourceVersion));
      await stop(again);
    }
    expect(versions[1]).toBeGreaterThan(versions[0]!);
  });
});

describe('a backup', () => {
  it('is for its owner only, holds no token that lets anyone in, and is one file', async () => {
    const { backup, cluster, data } = await backedUp();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
    for (const { user } of config.users) expect(readFileSync(backup).includes(user.token)).toBe(false);
    expect(readdirSync(root).filter(name => name.startsWith(`${backup.slice(root.length + 1)}.`))).toEqual([]);
    await stop(cluster);
    expect((await writeBackup(backup, data)).revision).toBeGreaterThan(2);
  });

  it('is one moment of a cluster that goes on writing', async () => {
    const { data, cluster, ask } = await backedUp();
    let writing = true;
    let failed = 0;
    let written = 0;
    const load = (async () => {
      for (; writing; written++)
        if ((await ask('POST', CONFIG_MAPS, configMap(`load-${written}`))).status !== 201) failed++;
    })();
    const backups = [];
    for (let round = 0; round < 3; round++) {
      const seen = written;
      await expect.poll(() => written).toBeGreaterThan(seen + 5);
      backups.push(await writeBackup(newPath(), data));
    }
    writing = false;
    await load;
    expect(failed).toBe(0);
    const revisions = backups.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    await stop(cluster);
  });

  it('never takes the place of a file of the cluster', async () => {
    const data = newPath();
    await start(data);
    for (const name of ['objects.db', 'kubeconfig', 'backup']) {
      await expect(writeBackup(join(data, name), data)).rejects.toThrow('lies in the data folder itself');
    }
    expect(existsSync(join(data, 'backup'))).toBe(false);
  });

  it('of nothing is refused, and says what to do', async () => {
    await expect(writeBackup(newPath(), join(root, 'nowhere'))).rejects.toThrow(/there is no data folder .*--data/);
    const data = newPath();
    await (await startCluster({ data, memory: true, port: await freePort() })).stop();
    await expect(writeBackup(newPath(), data)).rejects.toThrow(/keeps them in memory/);
    await expect(writeBackup(join(root, 'no/folder'), data)).rejects.toThrow(/no folder .*no to write a backup into/);
    await expect(writeBackup(root, data)).rejects.toThrow(/is not a file/);
  });
});

describe('restoring', () => {
  it('refuses a folder that a cluster runs on, or that holds one', async () => {
    const { data, backup, cluster } = await backedUp();
    await expect(restoreBackup(backup, { data, force: true })).rejects.toThrow(
      /in use by another Capstan\. Stop that one/,
    );
    await stop(cluster);
    await expect(restoreBackup(backup, { data })).rejects.toThrow(/holds a cluster already .*--data, or .*--force/);
    const ask = askBy((await start(data)).kubeconfig);
    expect((await ask('GET', `${CONFIG_MAPS}/later`)).status).toBe(200);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    ['is not there', file => rmSync(file), /there is no file/],
    [
      'is no backup',
      file => writeFileSync(file, 'something else entirely'),
      /cannot be restored: .*Nothing was changed/,
    ],
    ['is a data file', file => rewrite(file, 'PRAGMA application_id = 0'), /not a backup that "capstan backup" wrote/],
    [
      'was cut short',
      file => truncateSync(file, statSync(file).size - 5_000),
      /cannot be restored: .*damaged|malformed/,
    ],
    ['has one changed character', file => changeOneCharacter(file), /is damaged \(its digest is wrong\)/],
    ['has a newer layout', file => rewrite(file, 'PRAGMA user_version = 99'), /newer Capstan \(data version 99/],
    [
      'has a newer format',
      file => rewrite(file, "UPDATE backup_facts SET value = 9 WHERE name = 'format'"),
      /backup format 9/,
    ],
  ])('refuses a file that %s, and leaves the folder as it was', async (_, damage, message) => {
    const backup = newPath();
    cpSync(await anyBackup(), backup);
    damage(backup);
    const data = newPath();
    await expect(restoreBackup(backup, { data })).rejects.toThrow(message);
    expect(existsSync(data)).toBe(false);
  });

  it('writes no file but those of a data folder, whatever a backup holds', () => {
    const files = { 'ca.crt': '1', 'ca.key': '2', 'service-account.key': '3', 'tokens.json': '{}' };
    expect(filesToRestore({ ...files, '../smuggled': 'x' })).toEqual(files);
    expect(() => filesToRestore({})).toThrow(/the backup has no ca\.crt/);
  });

  it('that was killed at any moment leaves the old cluster or the new one', async () => {
    const backup = await anyBackup();
    const restored = newPath();
    await restoreBackup(backup, { data: restored });
    const names = ['ca.crt', 'ca.key', 'kubeconfig', 'objects.db', 'service-account.key', 'tokens.json'];
    const textOf = (data: string) => names.map(name => readFileSync(join(data, name)).toString('base64'));
    const old = newPath();
    await stop(await start(old));
    writeFileSync(join(old, 'objects.db-wal'), 'of the old data file');

    for (let done = 0; done <= names.length; done++) {
      const gathered = newPath();
      cpSync(old, gathered, { recursive: true });
      mkdirSync(join(gathered, 'restore.gathering'));
      for (const name of names.slice(0, done)) cpSync(join(restored, name), join(gathered, 'restore.gathering', name));
      openDataFolder(gathered, false).release();
      expect(textOf(gathered)).toEqual(textOf(old));
      expect(existsSync(join(gathered, 'objects.db-wal'))).toBe(true);

      const moved = newPath();
      cpSync(old, moved, { recursive: true });
      mkdirSync(join(moved, 'restore.complete'));
      for (const name of names) cpSync(join(restored, name), join(moved, 'restore.complete', name));
      if (done > names.indexOf('objects.db')) rmSync(join(moved, 'objects.db-wal'));
      for (const name of names.slice(0, done)) renameSync(join(moved, 'restore.complete', name), join(moved, name));
      openDataFolder(moved, false).release();
      expect(textOf(moved)).toEqual(textOf(restored));
      expect(readdirSync(moved).filter(name => name.startsWith('restore.') || name.endsWith('-wal'))).toEqual([]);
    }
  });
});

let shared: string | undefined;
async function anyBackup(): Promise<string> {
  if (shared === undefined) {
    const { backup, cluster } = await backedUp();
    await stop(cluster);
    shared = backup;
  }
  return shared;
}

function rewrite(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function changeOneCharacter(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('backed up')] = 'B'.charCodeAt(0);
  writeFileSync(file, bytes);
}
