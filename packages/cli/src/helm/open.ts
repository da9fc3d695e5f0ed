/** From the flags of a verb to the place that it acts on. */
import { hostname } from 'node:os';
import { createHelm, type Helm } from '@capstan/helm';
import { connect, createClient } from '@capstan/kube';
import { terminalProgress } from './terminal-progress.ts';

export interface ClusterFlags {
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
}

/** Ctrl-C ends an operation in good order: the release says that it failed, and why. A second one ends the program. */
export async function openHelm(flags: ClusterFlags): Promise<Helm> {
  const { transport, namespace } = await connect({ path: flags.kubeconfig, context: flags.kubeContext });
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)));
  }
  return createHelm({
    client: createClient({ transport, userAgent: 'helm' }),
    namespace: flags.namespace ?? namespace,
    holder: `${hostname()}/${process.pid}`,
    signal: interrupted.signal,
    onProgress: terminalProgress(process.stderr),
  });
}
