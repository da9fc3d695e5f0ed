/** `capstan up`, which is also `npm start`: the cluster and all that runs on it, until it is told to stop. */
import { clusterOptions, type RunOptions } from '../cluster/run-options.ts';
import { shellQuote } from '../cluster/shell-quote.ts';
import { type RunningCluster, startCluster } from '../cluster/start-cluster.ts';
import { stopOnSignal } from '../cluster/stop-on-signal.ts';

export async function up(options: RunOptions): Promise<void> {
  const cluster = await startCluster(clusterOptions(options));
  stopOnSignal(() => cluster.stop());
  console.log(welcome(cluster, options));
}

export function welcome({ url, kubeconfig }: RunningCluster, { memory, data }: RunOptions): string {
  return `
Capstan is running on ${url}   (Ctrl-C stops it)

  API server   Kubernetes API on ${memory ? 'memory: gone when it stops' : `${data}, which survives a stop`}
  kubeconfig   ${kubeconfig}: you are its administrator; the context "viewer" may only read

Not there yet: controllers, a node for Pods, and the five systems. Objects are stored, validated, applied and watched,
but a Deployment makes no Pods.

Try, in another terminal:
  export KUBECONFIG=${shellQuote(kubeconfig)}
  kubectl get namespaces
  kubectl api-resources
`;
}
