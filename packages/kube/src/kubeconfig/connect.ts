import type { Transport } from '../transport.ts';
import { resolveContext } from './context.ts';
import { KubeconfigError } from './errors.ts';
import { inClusterNamespace, inClusterTransport, isInCluster } from './in-cluster.ts';
import { loadKubeconfig } from './load.ts';
import { type KubeconfigTransportOptions, transportFromKubeconfig } from './transport.ts';

export interface ConnectOptions extends KubeconfigTransportOptions {
  /** This kubeconfig and no other. */
  readonly path?: string | undefined;
}

export interface Connection {
  readonly transport: Transport;
  /** The namespace to work in when none is named. */
  readonly namespace: string;
  /** Where this leads, for a person to read: `context "dev" (https://127.0.0.1:6443)` or `the cluster around this Pod`. */
  readonly description: string;
}

/**
 * Connects to the cluster that a person would expect: the kubeconfig if there is one, else the cluster that this process
 * runs in. A kubeconfig that is there but wrong is an error, never passed over.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { path, ...rest } = options;
  const { environment = process.env, context } = options;
  try {
    const config = await loadKubeconfig({ path, environment });
    const { name, namespace, cluster } = resolveContext(config, context);
    const transport = await transportFromKubeconfig(config, rest);
    return { transport, namespace, description: `context ${JSON.stringify(name)} (${cluster.server})` };
  } catch (error) {
    const missing = error instanceof KubeconfigError && error.code === 'KUBECONFIG_MISSING';
    if (!missing || path !== undefined || context !== undefined || !isInCluster({ environment })) throw error;
  }
  const { context: _, untrusted: __, ...http } = rest;
  return {
    transport: await inClusterTransport(http),
    namespace: await inClusterNamespace({ environment }),
    description: 'the cluster around this Pod',
  };
}
