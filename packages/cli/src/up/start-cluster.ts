import type { Listener } from '@capstan/apiserver';
import { createApiServer, tokenAuthenticator } from '@capstan/apiserver';
import { openDataFolder } from './data-folder.ts';
import { adminAccess, authorityOf, kubeconfigText } from './identity.ts';
import { listenOn } from './listen-on.ts';

export interface ClusterOptions {
  readonly data: string;
  /** Undefined: the usual one, or the next that is free. */
  readonly port?: number | undefined;
  readonly memory?: boolean | undefined;
  readonly fresh?: boolean | undefined;
  /** Told of failures that are the server's own. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningCluster {
  readonly url: string;
  readonly kubeconfig: string;
  readonly dataFolder: string;
  stop(): Promise<void>;
}

/** Opens the data folder, starts the API server over HTTPS and writes the kubeconfig. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const folder = openDataFolder(options.data, options.fresh ?? false);
  const authority = authorityOf(folder);
  const { users, token } = adminAccess(folder);
  const server = await createApiServer({
    ...(options.memory ? {} : { file: folder.objects }),
    ...(options.onError && { onError: options.onError }),
  });
  let listener: Listener;
  try {
    const { certificate, key } = authority.issue({
      commonName: 'capstan',
      dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
      ipAddresses: ['127.0.0.1'],
      usages: ['server'],
    });
    listener = await listenOn(server, options.port, {
      tls: { cert: certificate, key },
      authenticate: tokenAuthenticator(users),
    });
  } catch (error) {
    await server.close();
    throw error;
  }
  folder.write('kubeconfig', kubeconfigText(listener.url, authority.certificate, token));
  return {
    url: listener.url,
    kubeconfig: folder.kubeconfig,
    dataFolder: folder.path,
    async stop() {
      await listener.close();
      await server.close();
    },
  };
}
