/** `capstan cluster`: the API server alone, until it is told to stop. */
import { clusterOptions, type RunOptions } from './run-options.ts';
import { shellQuote } from './shell-quote.ts';
import { type RunningCluster, startCluster } from './start-cluster.ts';
import { stopOnSignal } from './stop-on-signal.ts';

export async function cluster(options: RunOptions): Promise<void> {
  const running = await startCluster(clusterOptions(options));
  stopOnSignal(() => running.stop());
  console.log(greeting(running, options.memory ?? false));
}

type Whereabouts = Pick<RunningCluster, 'url' | 'kubeconfig' | 'dataFolder'>;

export function greeting({ url, kubeconfig, dataFolder }: Whereabouts, memory: boolean): string {
  return `
Kubernetes API on ${url}   (Ctrl-C stops it)

  objects      ${memory ? 'in memory: gone when it stops' : `in ${dataFolder}, which survives a stop`}
  kubeconfig   ${kubeconfig}

No controllers, no node: objects are stored, checked and watched, and nothing acts on them ("capstan up" has more).

Try, in another terminal:
  export KUBECONFIG=${shellQuote(kubeconfig)}
  kubectl get namespaces
`;
}
