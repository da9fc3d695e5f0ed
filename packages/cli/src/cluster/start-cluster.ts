import { isIP } from 'node:net';
import { type ApiServer, createApiServer, type Listener } from '@capstan/apiserver';
import { createClient } from '@capstan/kube';
import { openDataFolder } from './data-folder.ts';
import { authorityOf, serviceAccountKeyOf } from './identity.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { listenOn } from './listen-on.ts';
import { bindViewer, peopleOf, tokenUsers } from './people.ts';

export interface ClusterOptions {
  readonly data: string;
  /** Undefined: the usual one, or the next that is free. */
  readonly port?: number | undefined;
  readonly memory?: boolean | undefined;
  readonly fresh?: boolean | undefined;
  /** Further names that clients may call the server by; its certificate has them too. */
  readonly hostNames?: readonly string[] | undefined;
  /** Give Pods the account `default` and its token: for clusters whose controllers make these. */
  readonly serviceAccounts?: boolean | undefined;
  /** Told of failures that are the server's own. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningCluster {
  readonly url: string;
  readonly kubeconfig: string;
  readonly dataFolder: string;
  readonly server: ApiServer;
  /** PEM: who vouches for the server. */
  readonly rootCertificate: string;
  stop(): Promise<void>;
}

/** Opens the data folder, starts the API server over HTTPS and writes the kubeconfig. What fails half-way leaves nothing running. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  // What is on disk is none of the business of a run in memory, not even of a fresh one.
  const folder = openDataFolder(options.data, (options.fresh ?? false) && !options.memory);
  let server: ApiServer | undefined;
  let listener: Listener | undefined;
  const stop = async (): Promise<void> => {
    await listener?.close();
    await server?.close();
    folder.release();
  };
  try {
    const authority = authorityOf(folder);
    const people = await peopleOf(folder);
    server = await createApiServer({
      authorize: 'rbac',
      tokens: tokenUsers(people),
      serviceAccountKey: serviceAccountKeyOf(folder),
      serviceAccountAdmission: options.serviceAccounts ?? false,
      ...(options.memory ? {} : { file: folder.objects }),
      ...(options.onError && { onError: options.onError }),
    });
    await bindViewer(createClient({ transport: server.transport() }));
    const { hostNames = [] } = options;
    const { certificate, key } = authority.issue({ commonName: 'capstan', ...namesOf(hostNames), usages: ['server'] });
    listener = await listenOn(server, options.port, {
      tls: { cert: certificate, key, clientAuthority: authority.certificate },
      hostNames,
      authenticate: server.authenticate,
    });
    folder.write('kubeconfig', kubeconfigText(listener.url, authority.certificate, people));
    return {
      url: listener.url,
      kubeconfig: folder.kubeconfig,
      dataFolder: folder.path,
      server,
      rootCertificate: authority.certificate,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SERVICE_NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** What the certificate is for. */
function namesOf(further: readonly string[]): { dnsNames: readonly string[]; ipAddresses: readonly string[] } {
  return {
    dnsNames: ['localhost', ...SERVICE_NAMES, ...further.filter(name => !isIP(name))],
    ipAddresses: ['127.0.0.1', ...further.filter(name => isIP(name))],
  };
}
