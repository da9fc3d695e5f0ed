import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'capstan-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sources = (await import(join(root, 'packages/cli/bin/sources.mjs'))) as {
  freshBundle(): string | undefined;
};

it('the bundle of the command line says what the sources say, and reads its data from where they are', () => {
  expect(run('scripts/bundle/main.mjs')).toMatchObject({ status: 0, stderr: '' });
  const bundle = sources.freshBundle();
  expect(bundle).toBeDefined();
  const fromSources = run('packages/cli/src/capstan.ts', 'cluster', '--help');
  expect(fromSources.stdout).toContain('--data');
  expect(run(bundle!, 'cluster', '--help').stdout).toBe(fromSources.stdout);
  expect(run('packages/cli/bin/capstan.mjs', 'cluster', '--help').stdout).toBe(fromSources.stdout);
  expect(readFileSync(bundle!, 'utf8')).not.toContain('import.meta.url');
  // Nobody listens there: the bundle has all that it takes to find that out.
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { name: 'c', cluster: { server: 'http://127.0.0.1:1' } };
  const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [cluster],
    contexts,
    users: [{ name: 'u', user: {} }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  expect(run(bundle!, 'status', '--kubeconfig', kubeconfig).stderr).toContain('connection refused');
});
