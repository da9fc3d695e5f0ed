import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { afterAll, expect, it } from 'vitest';

/** A few with every test run; `kill.real.test.ts` does it a hundred times. */
const KILLS = Number(process.env.CAPSTAN_KILLS ?? 8);
const WRITERS = 16;
const PATH = '/api/v1/namespaces/default/configmaps';

const folder = mkdtempSync(join(tmpdir(), 'capstan-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

function start(file: string): Promise<{ child: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('server.ts', import.meta.url));
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'], env });
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr!.on('data', data => {
      complaint += data;
    });
    child.stdout!.once('data', data => resolve({ child, url: String(data).trim() }));
    child.once('exit', code => reject(new Error(`the server did not start (${code}): ${complaint}`)));
  });
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise(resolve => child.once('exit', resolve));

/** What the server has said yes to: name and what it holds, undefined once deleted. */
type Acknowledged = Map<string, string | undefined>;

/** Called with every answer, so that the test can wait for one without looking again and again. */
let onAnswer: () => void = () => {};

/** Creates, changes and deletes without pause until the server is gone. Notes every answer, and what had none. */
async function write(pool: Pool, writer: string, acknowledged: Acknowledged, unsure: Set<string>): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${writer}-${turn}`;
    const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, value?: string): Promise<void> => {
      unsure.add(name);
      const metadata = { name };
      const { statusCode, body } = await pool.request({
        method,
        path,
        headers: { 'content-type': 'application/json' },
        ...(value !== undefined && { body: JSON.stringify({ metadata, data: { value } }) }),
      });
      await body.dump();
      expect(statusCode).toBeLessThan(300);
      acknowledged.set(name, value);
      unsure.delete(name);
      onAnswer();
    };
    try {
      await send('POST', PATH, 'first');
      if (turn % 2 === 0) await send('PUT', `${PATH}/${name}`, 'second');
      if (turn % 5 === 0) await send('DELETE', `${PATH}/${name}`);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return; // the connection broke: the server was killed
      throw error;
    }
  }
}

async function contents(url: string): Promise<Map<string, string>> {
  const pool = new Pool(url);
  const { body } = await pool.request({ method: 'GET', path: PATH });
  const { items } = (await body.json()) as { items: { metadata: { name: string }; data: { value: string } }[] };
  await pool.close();
  return new Map(items.map(item => [item.metadata.name, item.data.value]));
}

it(`loses no acknowledged write and starts every time, killed ${KILLS} times while it is written to`, {
  timeout: 300_000,
}, async () => {
  const file = join(folder, 'objects.db');
  const acknowledged: Acknowledged = new Map();
  let writes = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, url } = await start(file);
    const found = await contents(url);
    for (const [name, value] of acknowledged) expect([name, found.get(name)]).toEqual([name, value]);

    const pool = new Pool(url, { connections: WRITERS });
    const unsure = new Set<string>();
    const before = acknowledged.size;
    const writing = Array.from({ length: WRITERS }, (_, n) => write(pool, `k${kill}-w${n}`, acknowledged, unsure));
    // Anywhere between the first writes and a good number of commits.
    const wanted = 5 + ((kill * 37) % 150);
    await new Promise<void>(resolve => {
      onAnswer = () => {
        if (acknowledged.size - before >= wanted) resolve();
      };
    });
    child.kill('SIGKILL');
    await Promise.all([ended(child), ...writing]);
    await pool.destroy();
    // A write without an answer may have happened or not; either is right, but it must not be held against the next start.
    for (const name of unsure) acknowledged.delete(name);
    writes += acknowledged.size - before;
  }
  const { child, url } = await start(file);
  const found = await contents(url);
  for (const [name, value] of acknowledged) expect([name, found.get(name)]).toEqual([name, value]);
  child.kill('SIGTERM');
  expect(writes).toBeGreaterThan(KILLS * 5);
});
