/** `capstan helm` beside helm itself: the same text; and killed with SIGKILL half-way. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, connect, createClient, deployments } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../embedded/server.ts';
import { requirePeers } from '../real/require-peers.ts';
import { until } from '../real/until.ts';
import { createHelmProgram } from './run-helm.ts';

const chart = new URL('./chart', import.meta.url).pathname;
const program = new URL('../../packages/cli/src/capstan.ts', import.meta.url).pathname;
const run = promisify(execFile);

describe('capstan helm', () => {
  let folder: string;
  let server: EmbeddedServer;
  let client: Client;
  const environment = () => ({ ...process.env, KUBECONFIG: server.kubeconfig });
  const ours = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [program, 'helm', ...args], { env: environment() })).stdout;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-helm-cli-'));
    server = await startEmbedded();
    client = createClient({ transport: (await connect({ path: server.kubeconfig })).transport });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('prints what helm 4 prints', async context => {
    requirePeers(context, ['helm4']);
    const theirs = createHelmProgram('helm4', server.kubeconfig, folder);
    await ours('install', 'web', chart, '--set', 'colour=red');
    await ours('upgrade', 'web', chart, '--reuse-values', '--set', 'extra=false', '--description', 'smaller');
    await ours('rollback', 'web', '1');
    const questions = [
      'list',
      'list -o json',
      'list -o yaml',
      'list -q',
      'list --superseded --reverse',
      'history web',
      'history web -o json',
      'get values web',
      'get values web --all -o yaml',
      'get values web --revision 2 -o json',
      'get manifest web',
      'get hooks web',
      'get notes web',
      'get all web',
    ];
    for (const question of questions) {
      const args = question.split(' ');
      expect(await ours(...args), question).toBe(await theirs(...args));
    }
    expect(await ours('uninstall', 'web')).toBe('release "web" uninstalled\n');
  });

  it('killed while it waits, is gone on with by whoever asks the same again', async () => {
    const args = [program, 'helm', 'install', 'killed', chart, '--wait', '--timeout', '2m'];
    const first = spawn(process.execPath, args, { env: environment(), stdio: 'ignore' });
    const web = { namespace: 'default', name: 'killed' };
    await until('the Deployment is there', async () => Boolean(await client.get(deployments, web)));
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(await ours('list', '--pending')).toContain('pending-install');

    const second = run(process.execPath, args, { env: environment() });
    const { generation } = (await client.get(deployments, web)).metadata;
    const replicas = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const conditions = [
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
    ];
    const status = { observedGeneration: generation, ...replicas, conditions };
    await client.patch(deployments, web, { merge: { status } }, { subresource: 'status' });
    const { stdout, stderr } = await second;
    expect(stdout).toContain('STATUS: deployed\nREVISION: 1\n');
    expect(stderr).toContain('a former run was cut off: going on with revision 1');
  });
});
