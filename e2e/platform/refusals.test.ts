/** A start that cannot be: `capstan up` says why and what to do, ends with 1, and has changed nothing. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CapstanProgram, capstanUp, makeBundle, RUNNING } from './capstan-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-refused-'));
const started: CapstanProgram[] = [];
beforeAll(makeBundle);
afterAll(async () => {
  for (const capstan of started) capstan.signal('SIGKILL');
  await Promise.all(started.map(({ exit }) => exit));
  rmSync(folder, { recursive: true, force: true });
});

function up(data: string, ...args: string[]): CapstanProgram {
  const capstan = capstanUp(data, ...args);
  started.push(capstan);
  return capstan;
}

/** What it says, all of it on one line: no stack, no second message. */
async function refusal(data: string, ...args: string[]): Promise<string> {
  const capstan = up(data, ...args);
  expect(await capstan.exit).toEqual({ code: 1, signal: null });
  expect(capstan.output().trim().split('\n').length).toBe(1);
  return capstan.output();
}

describe('capstan up is refused', () => {
  it('by a port that is taken', async () => {
    const other: Server = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    expect(await refusal(join(folder, 'port'), '--port', String(port))).toMatch(
      /port \d+ is taken by another program\. Stop it, or choose another port with --port\./,
    );
    other.close();
  });

  it('by a folder that another one runs on; once that is killed, its lock is no hindrance', async () => {
    const data = join(folder, 'shared');
    const first = up(data);
    await first.until(RUNNING);
    expect(await refusal(data)).toMatch(
      /is in use by another Capstan\. Stop that one, or choose another folder with --data\./,
    );
    first.signal('SIGKILL');
    await first.exit;
    const next = up(data);
    await next.until(RUNNING);
    next.signal('SIGTERM');
    expect(await next.exit).toEqual({ code: 0, signal: null });
  });

  it('by data of a newer version, which it leaves as it is', async () => {
    const data = join(folder, 'newer');
    mkdirSync(data);
    const file = join(data, 'objects.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 99; CREATE TABLE precious (x)');
    database.close();
    const before = readFileSync(file);
    expect(await refusal(data)).toMatch(/was written by a newer Capstan \(data version 99; .*Use that Capstan, or/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('by a folder that cannot be made, written to, or is none', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const wayOut = /Check that it is writable and has space, or choose another folder with --data\./;
    expect(await refusal(file)).toMatch(wayOut);
    expect(await refusal(join(file, 'below'))).toMatch(wayOut);
  });

  it("by a node's folder that cannot be used, and leaves the rest free for the next start", async () => {
    const data = join(folder, 'node');
    mkdirSync(data);
    writeFileSync(join(data, 'node'), 'not a folder');
    expect(await refusal(data)).toMatch(/cannot use .*node: .*choose another folder with --data\./);
    rmSync(join(data, 'node'));
    const next = up(data);
    await next.until(RUNNING);
  });

  it('by a part that there is not', async () => {
    expect(await refusal(join(folder, 'part'), '--only', 'nodes')).toContain(
      '--only nodes: there is no part "nodes". There are: controllers, node.',
    );
  });
});
