/** `capstan status` against a real kube-apiserver and its controllers: no Capstan is needed on the other side. */
import { execFile } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, deployments, loadKubeconfig, transportFromKubeconfig } from '@capstan/kube';
import { afterEach, expect, it } from 'vitest';
import { neededPeers, type RealApiServer, startRealApiServer } from '../real/apiserver.ts';
import { requirePeers } from '../real/require-peers.ts';
import { until } from '../real/until.ts';
import { repository } from './capstan-program.ts';
import { hello } from './hello.ts';

let server: RealApiServer | undefined;
const kept = join(tmpdir(), `capstan-status-${process.pid}`);
afterEach(async () => {
  await server?.stop();
  rmSync(kept, { force: true });
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function status(...args: string[]): Promise<Said> {
  const program = join(repository, 'packages/cli/bin/capstan.mjs');
  return new Promise(resolve =>
    execFile(process.execPath, [program, 'status', ...args], (error, out, complaint) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, error: complaint }),
    ),
  );
}

it('tells of a real cluster what is well and what is not, and that it cannot be reached', async context => {
  const options = { controllerManager: true };
  requirePeers(context, neededPeers(options));
  server = await startRealApiServer(options);
  const { kubeconfig } = server;
  expect(await status('--kubeconfig', kubeconfig)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^API server .* v1\.\d+\.\d+, ready, answers in .*Everything is as it should be\.\n$/s),
  });

  const client = createClient({ transport: await transportFromKubeconfig(await loadKubeconfig({ path: kubeconfig })) });
  await client.create(deployments, hello({ replicas: 2 }));
  await until('its controller has seen it', async () => {
    const { status: now } = await client.get(deployments, { namespace: 'default', name: 'hello' });
    return now?.replicas === 2 && now.observedGeneration === 1;
  });
  const { code, out } = await status('--kubeconfig', kubeconfig);
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('default/hello  MinimumReplicasUnavailable: 0 of 2 available'),
  ]);
  expect(out).toMatch(/default\/hello-\w+-\w+ {2}Pending: nothing runs it yet/);

  await client.transport.close();
  copyFileSync(kubeconfig, kept);
  await server.stop();
  const gone = await status('--kubeconfig', kept);
  expect(gone).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(/^capstan: cannot reach .*\nNothing listens/),
  });
});
