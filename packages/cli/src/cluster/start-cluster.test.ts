import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { askBy } from './ask.fixture.ts';
import { greeting } from './cluster.ts';
import { openDataFolder } from './data-folder.ts';
import { shellQuote } from './shell-quote.ts';
import { type ClusterOptions, type RunningCluster, startCluster } from './start-cluster.ts';

const root = mkdtempSync(join(tmpdir(), 'capstan-cluster-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const newPath = (): string => join(root, String(count++));

const running = new Set<RunningCluster>();
afterEach(async () => {
  for (const cluster of running) await cluster.stop();
  running.clear();
});
async function start(options: ClusterOptions): Promise<RunningCluster> {
  const cluster = await startCluster({ port: await freePort(), ...options });
  running.add(cluster);
  return cluster;
}
async function stop(cluster: RunningCluster): Promise<void> {
  running.delete(cluster);
  await cluster.stop();
}

const portOf = (server: Server): number => (server.address() as { port: number }).port;
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const port = portOf(probe);
  await new Promise(resolve => probe.close(resolve));
  return port;
}

/** Whether anyone listens on the port. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const NAMESPACES = '/api/v1/namespaces';

describe('a start that fails', () => {
  it('after it listens leaves nothing running: the port and the folder are free again', async () => {
    const data = newPath();
    mkdirSync(join(data, 'kubeconfig.new'), { recursive: true }); // so the kubeconfig, which is written last, cannot be
    const port = await freePort();
    await expect(startCluster({ data, port })).rejects.toThrow(/cannot use .*kubeconfig: .*Check that it is writable/);
    expect(await isOpen(port)).toBe(false);
    rmSync(join(data, 'kubeconfig.new'), { recursive: true });
    const cluster = await start({ data, port });
    expect((await askBy(cluster.kubeconfig)('GET', NAMESPACES)).status).toBe(200);
  });

  it('because the port is taken leaves the folder free', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const data = newPath();
    await expect(startCluster({ data, port: portOf(other) })).rejects.toThrow(/is taken by another program/);
    openDataFolder(data, false).release();
    await new Promise(resolve => other.close(resolve));
  });
});

describe('a data folder', () => {
  it('without a name is refused', async () => {
    await expect(startCluster({ data: '' })).rejects.toThrow(
      '--data is empty: name a folder, or leave it out for .capstan.',
    );
  });

  it.runIf(process.platform === 'linux')('that cannot be made is refused at once', async () => {
    const refusal = /cannot use \/proc\/nowhere.*choose another folder with --data/;
    await expect(startCluster({ data: '/proc/nowhere' })).rejects.toThrow(refusal);
    await expect(startCluster({ data: '/proc/nowhere/deep/er' })).rejects.toThrow(refusal);
  });

  it('that is a file is refused', async () => {
    const file = newPath();
    writeFileSync(file, '');
    await expect(startCluster({ data: file })).rejects.toThrow(/cannot use .*choose another folder with --data/);
  });

  it.each([
    ['ca.crt', /ca\.crt and ca\.key in .* cannot be read .*Delete both: new ones are made/],
    ['ca.key', /ca\.crt and ca\.key in .* cannot be read .*Delete both: new ones are made/],
    ['service-account.key', /service-account\.key in .* cannot be read .*Delete it: a new one is made/],
    ['tokens.json', /tokens\.json in .* is damaged\. Delete it: new tokens are made/],
    ['objects.db', /cannot open .*objects\.db: file is not a database\. .*if the file is damaged, restore a backup/],
  ])('with a damaged %s is refused, and the message names the file and a way out', async (name, message) => {
    const data = newPath();
    await stop(await start({ data }));
    for (const end of ['-wal', '-shm']) rmSync(join(data, name + end), { force: true });
    writeFileSync(join(data, name), 'no longer what it was'.repeat(100));
    await expect(startCluster({ data, port: await freePort() })).rejects.toThrow(message);
    openDataFolder(data, false).release();
  });

  it('whose damaged files were deleted, as the message says, works again', async () => {
    const data = newPath();
    await stop(await start({ data }));
    for (const name of ['ca.crt', 'ca.key', 'service-account.key', 'tokens.json']) rmSync(join(data, name));
    const cluster = await start({ data });
    expect((await askBy(cluster.kubeconfig)('GET', NAMESPACES)).status).toBe(200);
  });

  it.runIf(process.getuid?.() !== 0)('that may not be written to is refused', async () => {
    const data = newPath();
    mkdirSync(data);
    chmodSync(data, 0o500);
    await expect(startCluster({ data })).rejects.toThrow(/Check that it is writable/);
  });
});

describe('the kubeconfig', () => {
  it('keeps its tokens over a restart, also when kubectl has made YAML of it', async () => {
    const data = newPath();
    const first = await start({ data });
    const before = readFileSync(first.kubeconfig, 'utf8');
    await stop(first);
    const tokens = (text: string): string[] =>
      JSON.parse(text).users.map(({ user }: { user: { token: string } }) => user.token);
    const [admin, viewer] = tokens(before);
    writeFileSync(
      first.kubeconfig,
      `users:\n- name: capstan-admin\n  user:\n    token: ${admin}\n- name: capstan-viewer\n  user:\n    token: ${viewer}\n`,
    );
    const second = await start({ data });
    expect(tokens(readFileSync(second.kubeconfig, 'utf8'))).toEqual([admin, viewer]);
    expect((await askBy(second.kubeconfig)('GET', NAMESPACES)).status).toBe(200);
  });

  it('deleted takes its tokens with it', async () => {
    const data = newPath();
    const first = await start({ data });
    const before = JSON.parse(readFileSync(first.kubeconfig, 'utf8'));
    await stop(first);
    rmSync(first.kubeconfig);
    const second = await start({ data });
    const copy = newPath();
    writeFileSync(copy, JSON.stringify(before));
    expect((await askBy(copy, 0, second.url)('GET', NAMESPACES)).status).toBe(401);
  });
});

describe('what is printed', () => {
  it('can be pasted into a shell, whatever the folder is called', async () => {
    expect(shellQuote('/plain/path-1.2')).toBe('/plain/path-1.2');
    expect(shellQuote("it's a $folder")).toBe(`'it'\\''s a $folder'`);
    const kubeconfig = `/a "b" $(c) 'd'/kubeconfig`;
    const cluster = { url: 'https://127.0.0.1:1', kubeconfig, dataFolder: '/a' };
    const line = greeting(cluster, false)
      .split('\n')
      .find(one => one.includes('export '))!;
    const { execFileSync } = await import('node:child_process');
    const read = execFileSync('sh', ['-c', `${line}; printf %s "$KUBECONFIG"`], { encoding: 'utf8' });
    expect(read).toBe(kubeconfig);
  });

  it('says where the objects are', async () => {
    const data = newPath();
    const cluster = await start({ data, memory: true });
    expect(greeting(cluster, true)).toContain('in memory: gone when it stops');
    expect(existsSync(join(data, 'objects.db'))).toBe(false);
    expect(greeting(cluster, false)).toContain(`in ${data}, which survives a stop`);
  });
});

describe('a run in memory', () => {
  it('leaves what is on disk alone, even a fresh one', async () => {
    const data = newPath();
    mkdirSync(data);
    writeFileSync(join(data, 'objects.db'), 'of another run');
    await start({ data, memory: true, fresh: true });
    expect(readFileSync(join(data, 'objects.db'), 'utf8')).toBe('of another run');
  });
});

describe('a further host name', () => {
  it('is one that clients may call the server by, and is in its certificate', async () => {
    const cluster = await start({ data: newPath(), hostNames: ['api.test'] });
    const { port } = new URL(cluster.url);
    const { request } = await import('node:https');
    const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
    const ask = (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          {
            host: '127.0.0.1',
            port,
            path: '/livez',
            servername: 'api.test',
            ca: Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64'),
            headers: { host, authorization: `Bearer ${config.users[0].user.token}` },
          },
          incoming => {
            incoming.resume();
            incoming.on('end', () => resolve(incoming.statusCode!));
          },
        );
        outgoing.on('error', reject);
        outgoing.end();
      });
    expect([await ask('api.test'), await ask('other.test')]).toEqual([200, 403]);
  });
});
