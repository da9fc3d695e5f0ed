import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Somebody who may speak to the server, by bearer token. */
export interface User {
  readonly name: string;
  readonly token: string;
  readonly groups?: readonly string[];
}

export interface ApiServerOptions {
  /** Also run kube-controller-manager: then Namespaces end, Deployments get Pods, owners' dependents are collected. */
  readonly controllerManager?: boolean;
  /** `RBAC` as in a real cluster (the token returned is an administrator's), or no checks at all. */
  readonly authorization?: 'RBAC' | 'AlwaysAllow';
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** `{ 'api/alpha': true }`: API groups and versions that are off by default. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  /** Further users, without rights until a binding gives them some. */
  readonly users?: readonly User[];
  /** Let etcd sync to disk, for benchmarks. */
  readonly durable?: boolean;
  /** Further flags for kube-apiserver, as written on its command line. */
  readonly flags?: readonly string[];
  /** Name of a peer in the table, to run another version: `kube-apiserver-1.35`. */
  readonly peer?: string;
}

/** Where the server keeps what it generates and what is generated for it. */
export interface Layout {
  readonly certificates: string;
  readonly certificate: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
}

export function layoutOf(folder: string): Layout {
  const certificates = join(folder, 'certificates');
  return {
    certificates,
    certificate: join(certificates, 'apiserver.crt'),
    tokens: join(folder, 'tokens.csv'),
    serviceAccountKey: join(folder, 'service-account.key'),
  };
}

/** Writes the token file and the key that signs service-account tokens. */
export function writeSecrets(layout: Layout, users: readonly User[]): void {
  const lines = users.map(({ name, token, groups = [] }) => `${token},${name},${name},"${groups.join(',')}"\n`);
  writeFileSync(layout.tokens, lines.join(''), { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(layout.serviceAccountKey, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
}

export function apiServerFlags(layout: Layout, port: number, etcdUrl: string, options: ApiServerOptions): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    // The server writes a certificate of its own, followed by that of the authority that it made for it.
    `--cert-dir=${layout.certificates}`,
    // The range that kubeadm takes and so do we: addresses and the words about them are then the same.
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${layout.serviceAccountKey}`,
    `--service-account-signing-key-file=${layout.serviceAccountKey}`,
    `--token-auth-file=${layout.tokens}`,
    `--authorization-mode=${options.authorization ?? 'RBAC'}`,
    // Without a controller nobody creates the "default" ServiceAccount that this plugin wants for every Pod.
    ...(options.controllerManager ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...switches('--feature-gates', options.featureGates),
    ...switches('--runtime-config', options.runtimeConfig),
    ...(options.flags ?? []),
  ];
}

function switches(flag: string, values: Readonly<Record<string, boolean>> = {}): string[] {
  const pairs = Object.entries(values).map(([name, on]) => `${name}=${on}`);
  return pairs.length === 0 ? [] : [`${flag}=${pairs.join(',')}`];
}
