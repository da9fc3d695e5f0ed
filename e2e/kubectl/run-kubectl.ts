import { spawn } from 'node:child_process';
import type { KubectlProgram } from './kubectls.ts';

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one kubectl against one cluster; what it keeps between calls goes to a folder of its own. */
export interface Kubectl {
  /** Throws when kubectl does not end with 0. */
  (...args: string[]): Promise<string>;
  /** What it says, however it ends. `input` is its standard input. */
  attempt(args: readonly string[], input?: string): Promise<Output>;
  /** `kubectl … -f -` of an object or text; throws as above. */
  withInput(input: string | object, ...args: string[]): Promise<string>;
}

export function createKubectl(program: KubectlProgram, kubeconfig: string, cacheFolder: string): Kubectl {
  const attempt = (args: readonly string[], input = ''): Promise<Output> =>
    new Promise((resolve, reject) => {
      // PATH, for the diff that `kubectl diff` calls.
      const env = { PATH: process.env['PATH'], HOME: cacheFolder, KUBECONFIG: kubeconfig };
      const child = spawn(program.path, [...args, `--cache-dir=${cacheFolder}/cache`], { env });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', data => (stdout += data));
      child.stderr.on('data', data => (stderr += data));
      child.once('error', reject);
      child.once('close', code => resolve({ code, stdout, stderr }));
      child.stdin.end(input);
    });
  const succeed = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await attempt(args, input);
    if (code !== 0)
      throw new Error(`kubectl ${program.version} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  };
  return Object.assign((...args: string[]) => succeed(args), {
    attempt,
    withInput: (input: string | object, ...args: string[]) =>
      succeed([...args, '-f', '-'], typeof input === 'string' ? input : JSON.stringify(input)),
  });
}
