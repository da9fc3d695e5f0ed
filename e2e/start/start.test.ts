import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(join(tmpdir(), 'capstan-start-'));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) kill(-child.pid!, 'SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

interface Run {
  readonly child: ChildProcess;
  output(): string;
  /** Resolves when the output has the text; rejects when the program ends without it. */
  until(text: string): Promise<void>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** `npm start` as a person types it, in a process group of its own. */
function npmStart(...args: string[]): Run {
  const child = spawn('npm', ['start', '--silent', '--', ...args], { cwd: root, detached: true });
  children.push(child);
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', data => {
      output += data;
      for (const check of waiting) check();
    });
  }
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (output.includes(text)) resolve();
      };
      waiting.add(check);
      check();
      void exit.then(() => reject(new Error(`ended without "${text}": ${output}`)));
    });
  return { child, output: () => output, until, exit };
}

const data = (name: string): string[] => ['--data', join(folder, name)];

/** What is left of the group after its leader ended. */
const groupIsEmpty = (pid: number): boolean => {
  try {
    process.kill(-pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('npm start', { timeout: 60_000 }, () => {
  it.each([
    ['SIGTERM', 'npm'],
    ['SIGINT', 'the group'],
    ['SIGTERM', 'the group'],
  ] as const)('stops cleanly and leaves nothing behind on %s to %s', async (signal, whom) => {
    const run = npmStart('--memory', ...data(`${signal}-${whom}`));
    await run.until('Capstan is running');
    kill(whom === 'npm' ? run.child.pid! : -run.child.pid!, signal);
    const { code, signal: endedBy } = await run.exit;
    expect([code, endedBy, run.output().includes('stopping')]).toEqual([0, null, true]);
    expect(groupIsEmpty(run.child.pid!)).toBe(true);
  });

  it('gives a kubeconfig that only its owner can read, and that works', async () => {
    const run = npmStart(...data('access'));
    await run.until('Capstan is running');
    const file = join(folder, 'access/kubeconfig');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const config = JSON.parse(readFileSync(file, 'utf8'));
    const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster;
    const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, 'base64') } });
    const ask = async (authorization?: string, path = '/api/v1/namespaces/default'): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      const { statusCode, body } = await request(`${server}${path}`, { dispatcher, headers });
      await body.dump();
      return statusCode;
    };
    const [admin, viewer] = config.users.map(({ user }: { user: { token: string } }) => `Bearer ${user.token}`);
    const secrets = '/api/v1/namespaces/default/secrets';
    expect([await ask(admin), await ask(admin, secrets)]).toEqual([200, 200]);
    expect([await ask(viewer), await ask(viewer, secrets)]).toEqual([200, 403]);
    expect(config.contexts.map(({ name }: { name: string }) => name)).toEqual(['capstan', 'viewer']);
    expect(await ask('Bearer nonsense')).toBe(401);
    expect(await ask()).toBe(401);
    const stored = readFileSync(join(folder, 'access/tokens.json'), 'utf8');
    for (const { user } of config.users) expect(stored).not.toContain(user.token);
    await dispatcher.close();
  });

  it('takes the next port when the usual one is taken, and says so when the one asked for is', async () => {
    const other = createServer();
    const port = await new Promise<number>(resolve =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    const run = npmStart('--memory', '--port', String(port), ...data('port'));
    const { code } = await run.exit;
    other.close();
    expect(code).toBe(1);
    expect(run.output()).toContain(`port ${port} is taken by another program. Stop it, or choose another port`);
  });

  it('has its folder to itself: not even a fresh start takes it away', async () => {
    const first = npmStart(...data('shared'));
    await first.until('Capstan is running');
    const second = npmStart('--fresh', ...data('shared'));
    expect((await second.exit).code).toBe(1);
    expect(second.output()).toMatch(/in use by another Capstan\. Stop that one, or choose another folder/);
    expect(existsSync(join(folder, 'shared/objects.db'))).toBe(true);
  });

  it('says what is wrong with an option', async () => {
    const run = npmStart('--port', 'abc', ...data('option'));
    expect((await run.exit).code).toBe(1);
    expect(run.output()).toContain('--port abc is not a port: give a number from 1 to 65535');
  });
});
