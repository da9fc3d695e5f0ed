import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { bearer } from '../http/credentials.ts';
import { createHttpTransport, type HttpTransportOptions } from '../http/http-transport.ts';
import type { Transport } from '../transport.ts';
import { KubeconfigError } from './errors.ts';
import { fileCredentials } from './file-credentials.ts';
import { type Environment, reason } from './load.ts';

export interface InClusterOptions extends Omit<HttpTransportOptions, 'server' | 'tls' | 'credentials'> {
  readonly environment?: Environment;
  /** Where the service account is mounted. */
  readonly directory?: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this process runs in a Pod with a service account. */
export function isInCluster({ environment = process.env }: InClusterOptions = {}): boolean {
  return Boolean(environment['KUBERNETES_SERVICE_HOST'] && environment['KUBERNETES_SERVICE_PORT']);
}

/** The way to the API server of the cluster that this process runs in, as the Pod's service account. */
export async function inClusterTransport(options: InClusterOptions = {}): Promise<Transport> {
  const { environment = process.env, directory = SERVICE_ACCOUNT, ...http } = options;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = environment;
  if (!isInCluster({ environment })) {
    const message = 'not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set';
    throw new KubeconfigError('KUBECONFIG_NOT_IN_CLUSTER', message);
  }
  const read = async (name: string): Promise<string> => {
    const file = join(directory, name);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      const message = `the service account of this Pod cannot be read: ${file}: ${reason(error)}`;
      throw new KubeconfigError('KUBECONFIG_UNREADABLE', message, { file, cause: error });
    }
  };
  const token = async () => ({ authorization: bearer((await read('token')).trim()) });
  return createHttpTransport({
    ...http,
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: { authority: await read('ca.crt') },
    credentials: await fileCredentials(token, options.clock ?? systemClock),
  });
}

/** The namespace of this Pod: `POD_NAMESPACE`, else the one of the service account, else `default`. */
export async function inClusterNamespace(options: InClusterOptions = {}): Promise<string> {
  const { environment = process.env, directory = SERVICE_ACCOUNT } = options;
  if (environment['POD_NAMESPACE']) return environment['POD_NAMESPACE'];
  const text = await readFile(join(directory, 'namespace'), 'utf8').catch(() => '');
  return text.trim() || 'default';
}
