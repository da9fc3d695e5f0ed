import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { findPeer } from '../../scripts/peers/find.ts';
import { type ApiServerOptions, apiServerFlags, type Layout, layoutOf, writeSecrets } from './apiserver-flags.ts';
import { type Etcd, startEtcd, throwIfGone } from './etcd.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type Leashed, startLeashed } from './leash.ts';
import { freePorts } from './ports.ts';
import { until } from './until.ts';

export interface RealApiServer {
  readonly url: string;
  /** The certificate authority, PEM in base64 as a kubeconfig holds it. */
  readonly caData: string;
  /** Of an administrator (`system:masters`). */
  readonly token: string;
  /** Path of a kubeconfig with the three above. */
  readonly kubeconfig: string;
  /** Where etcd answers: its HTTP gateway can compact, for instance. */
  readonly etcdUrl: string;
  /** Ends kube-apiserver (not etcd) and starts it anew on the same port with the same data. */
  readonly restart: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Ends everything and removes the data. */
  readonly stop: () => Promise<void>;
}

/** Programs that a server with these options needs. */
export const neededPeers = ({ controllerManager, peer = 'kube-apiserver' }: ApiServerOptions): string[] => [
  'etcd',
  peer,
  ...(controllerManager ? ['kube-controller-manager'] : []),
];

/**
 * Starts a real kube-apiserver on etcd, both on free loopback ports with their data in a folder of their own, and resolves
 * when it is ready. All of it ends with this process, however that ends.
 */
export async function startRealApiServer(options: ApiServerOptions = {}): Promise<RealApiServer> {
  const programs = Object.fromEntries(neededPeers(options).map(name => [name, findPeerOrThrow(name)]));
  const folder = mkdtempSync(join(tmpdir(), 'capstan-real-'));
  const layout = layoutOf(folder);
  mkdirSync(layout.certificates);
  const token = randomBytes(16).toString('hex');
  writeSecrets(layout, [{ name: 'admin', token, groups: ['system:masters'] }, ...(options.users ?? [])]);

  const running: { etcd?: Etcd; server?: Leashed; controllers?: Leashed } = {};
  const stop = async () => {
    await running.controllers?.stop('SIGKILL');
    await running.server?.stop('SIGKILL');
    await running.etcd?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    running.etcd = await startEtcd(programs['etcd']!, folder, options.durable ?? false);
    const [port] = await freePorts(1);
    const url = `https://127.0.0.1:${port}`;
    const flags = apiServerFlags(layout, port!, running.etcd.url, options);
    const start = async () => {
      const command = [programs[options.peer ?? 'kube-apiserver']!, ...flags];
      running.server = startLeashed('kube-apiserver', command, join(folder, 'kube-apiserver.log'));
      await untilReady(running.server, url, layout, token);
    };
    await start();
    const caData = readFileSync(layout.certificate).toString('base64');
    const configFile = join(folder, 'kubeconfig');
    writeFileSync(configFile, kubeconfig({ url, caData, token }), { mode: 0o600 });
    if (options.controllerManager) {
      running.controllers = startControllers(programs['kube-controller-manager']!, folder, layout, configFile);
    }
    const restart = async (signal?: 'SIGTERM' | 'SIGKILL') => {
      await running.server?.stop(signal);
      await start();
    };
    return { url, caData, token, kubeconfig: configFile, etcdUrl: running.etcd.url, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findPeerOrThrow(name: string): string {
  const program = findPeer(name);
  if (program === undefined) throw new Error(`there is no ${name}: run "npm run peers -- ${name}"`);
  return program;
}

async function untilReady(server: Leashed, url: string, layout: Layout, token: string): Promise<void> {
  await until('kube-apiserver is ready', async () => {
    throwIfGone(server);
    if (!existsSync(layout.certificate)) return false;
    const dispatcher = new Agent({ connect: { ca: readFileSync(layout.certificate) } });
    try {
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode, body } = await request(`${url}/readyz`, { dispatcher, headers });
      await body.dump();
      return statusCode === 200;
    } finally {
      await dispatcher.destroy();
    }
  });
}

function startControllers(program: string, folder: string, layout: Layout, configFile: string): Leashed {
  const flags = [
    `--kubeconfig=${configFile}`,
    `--service-account-private-key-file=${layout.serviceAccountKey}`,
    `--root-ca-file=${layout.certificate}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--secure-port=0',
  ];
  return startLeashed('kube-controller-manager', [program, ...flags], join(folder, 'kube-controller-manager.log'));
}
