import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const guide = here('../../../../docs/write-a-controller.md');

/** Does what the guide says, in its order, with the kubectl and the commands that a reader would use. */
describe('a reader of the guide', () => {
  let folder: string;
  const running: ReturnType<typeof spawn>[] = [];
  const environment = () => ({ ...process.env, KUBECONFIG: join(folder, 'kubeconfig') });
  const start = (...args: string[]): void =>
    void running.push(spawn(process.execPath, args, { env: environment(), stdio: 'ignore' }));
  const kubectl = (args: readonly string[], input?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(findPeer('kubectl')!, args, { env: environment() }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
      child.stdin?.end(input);
    });
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 200 });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-guide-'));
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(running.map(child => new Promise(resolve => child.once('exit', resolve))));
    await rm(folder, { recursive: true, force: true });
  });

  it('has a running controller at the end', async context => {
    requirePeers(context, ['kubectl']);
    const text = await readFile(guide, 'utf8');
    const [, manifest] = /kubectl create -f - <<END\n([\s\S]*?)END\n/.exec(text)!;
    start(here('../../../cli/src/capstan.ts'), 'up', '--memory', '--data', folder);
    await eventually(async () => void (await kubectl(['get', 'namespaces'])));
    start(here('./greeter.fixture.ts'));
    await eventually(async () => void (await kubectl(['get', 'greetings'])));
    expect(await kubectl(['create', '-f', '-'], manifest)).toBe('greeting.example.io/world created\n');
    const status = ['get', 'greeting', 'world', '-o', 'jsonpath={.status.text}'];
    await eventually(async () => expect(await kubectl(status)).toBe('Hello, World! Hello, World!'));
    expect(await kubectl(['get', 'greetings'])).toMatch(/NAME +TEXT.*\nworld +Hello, World! Hello, World!/);
    const shown = ['get', 'configmap', 'world', '-o', 'jsonpath={.data.text}'];
    expect(await kubectl(shown)).toBe('Hello, World! Hello, World!');
    await kubectl(['delete', 'configmap', 'world']);
    await eventually(async () => expect(await kubectl(shown)).toBe('Hello, World! Hello, World!'));
    const tooMany = kubectl(['patch', 'greeting', 'world', '--type=merge', '-p', '{"spec":{"times":11}}']);
    await expect(tooMany).rejects.toThrow('spec.times');
  });
});
