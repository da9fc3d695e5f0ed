import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pods } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../real/until.ts';
import { type CapstanProgram, capstanUp, makeBundle, nodeMark, RUNNING } from './capstan-program.ts';
import { nothingRuns, podProcesses } from './pod-processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-stop-'));
const started: CapstanProgram[] = [];
beforeAll(makeBundle);
afterAll(async () => {
  for (const capstan of started) capstan.signal('SIGKILL');
  await Promise.all(started.map(({ exit }) => exit));
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster with one Pod that runs the script, which has said "ready". */
async function withPod(name: string, script: string): Promise<CapstanProgram> {
  const capstan = capstanUp(join(folder, name));
  started.push(capstan);
  await capstan.until(RUNNING);
  const client = await capstan.client();
  await until('the account of Pods is there', async () => {
    await client.create(pods, {
      metadata: { namespace: 'default', name: 'it' },
      // Without a volume, it has the file system of the machine.
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'none', command: ['sh', '-c', script] }],
      },
    });
    return true;
  });
  const path = '/api/v1/namespaces/default/pods/it/log';
  await until('the Pod is ready', async () => {
    const { body } = await client.transport.request({ method: 'GET', path });
    return body === 'ready\n';
  });
  await client.transport.close();
  return capstan;
}

describe.skipIf(process.platform !== 'linux')('Ctrl-C', () => {
  it('once lets Pods end in good order, and leaves nothing running', async () => {
    const capstan = await withPod(
      'once',
      `trap 'sleep 0.5; echo ended >"${folder}/last-words"; exit 0' TERM; echo ready; while :; do sleep 0.1; done`,
    );
    capstan.signal('SIGINT');
    expect(await capstan.exit).toEqual({ code: 0, signal: null });
    expect(readFileSync(join(folder, 'last-words'), 'utf8')).toBe('ended\n');
    expect(podProcesses(nodeMark(capstan.data))).toEqual([]);
  });

  it('twice ends at once, and what runs ends with it, even if it would rather not', async () => {
    const capstan = await withPod('twice', `trap '' TERM; echo ready; while :; do sleep 0.1; done`);
    const began = performance.now();
    capstan.signal('SIGINT');
    await capstan.until('stopping');
    capstan.signal('SIGINT');
    expect(await capstan.exit).toEqual({ code: 130, signal: null });
    // The grace of the Pod is 30 s and that of the stop 5 s: it waited for neither.
    expect(performance.now() - began).toBeLessThan(4000);
    await until('nothing is left', () => nothingRuns(nodeMark(capstan.data)));
  });
});
