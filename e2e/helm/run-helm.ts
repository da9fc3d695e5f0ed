import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findPeer } from '../../scripts/peers/find.ts';

/** Runs one real Helm against one cluster; what it keeps goes to a folder of its own. Throws when it does not end with 0. */
export type RunHelm = (...args: string[]) => Promise<string>;

/** @param name `helm3` or `helm4`: the program is called `helm` when it runs, since its name is the owner of the fields it writes */
export function createHelmProgram(name: 'helm3' | 'helm4', kubeconfig: string, folder: string): RunHelm {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const program = join(home, 'helm');
  symlinkSync(findPeer(name)!, program);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    KUBECONFIG: kubeconfig,
    HELM_CACHE_HOME: home,
    HELM_CONFIG_HOME: home,
    HELM_DATA_HOME: home,
  };
  return (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { env });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', data => (stdout += data));
      child.stderr.on('data', data => (stderr += data));
      child.once('error', reject);
      child.once('close', code => {
        if (code === 0) resolve(stdout);
        else reject(new Error(`${name} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`));
      });
    });
}
