/** `capstan up` as a program, and how long it took to say that it runs. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient, loadKubeconfig, transportFromKubeconfig } from '@capstan/kube';

export interface RunningUp {
  /** Milliseconds. */
  readonly readyAfter: number;
  client(): Promise<Client>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../packages/cli/bin/capstan.mjs', import.meta.url));

export async function capstanUp(data: string): Promise<RunningUp> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, 'up', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve));
  const said = new Promise<void>(resolve => child.stdout.once('data', () => resolve()));
  const code = await Promise.race([said, ended]);
  if (code !== undefined) throw new Error(`capstan up ended with ${code}`);
  const readyAfter = performance.now() - began;
  return {
    readyAfter,
    async client() {
      const kubeconfig = await loadKubeconfig({ path: join(data, 'kubeconfig') });
      return createClient({ transport: await transportFromKubeconfig(kubeconfig) });
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
