/** `capstan up`, which is also `npm start`: runs until it is told to stop, and says what there is to try. */
import { startCluster } from './start-cluster.ts';

export interface UpOptions {
  readonly port?: string;
  readonly data: string;
  readonly memory?: boolean;
  readonly fresh?: boolean;
}

export async function up(options: UpOptions): Promise<void> {
  const cluster = await startCluster({
    data: options.data,
    port: options.port === undefined ? undefined : portNumber(options.port),
    memory: options.memory,
    fresh: options.fresh,
    onError: error =>
      console.error(`capstan: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  stopOnSignal(() => cluster.stop());
  console.log(welcome(cluster.url, cluster.kubeconfig, options));
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port ${text} is not a port: give a number from 1 to 65535.`);
  }
  return port;
}

function welcome(url: string, kubeconfig: string, { memory, data }: UpOptions): string {
  return `
Capstan is running on ${url}   (Ctrl-C stops it)

  API server   Kubernetes API on ${memory ? 'memory: gone when it stops' : `${data}, which survives a stop`}
  kubeconfig   ${kubeconfig}: you are its administrator; the context "viewer" may only read

Not there yet: controllers, a node for Pods, and the five systems. Objects are stored, validated, applied and watched,
but a Deployment makes no Pods.

Try, in another terminal:
  export KUBECONFIG=${quoted(kubeconfig)}
  kubectl get namespaces
  kubectl api-resources
`;
}

/** As a shell reads it back. */
const quoted = (path: string): string => (/^[\w/.@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** The first signal stops in good order; a second one does not wait for it. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    console.log('capstan: stopping');
    stop().then(
      () => process.exit(0),
      error => {
        console.error(
          `capstan: could not stop in good order: ${error instanceof Error ? error.message : String(error)}`,
        );
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
