/** From a kubeconfig, or from within a Pod, to a transport. */
import { type Clock, systemClock } from '../clock.ts';
import { basic, bearer, type Credentials, fixedCredentials, noCredentials } from '../http/credentials.ts';
import { createHttpTransport, type HttpTransportOptions } from '../http/http-transport.ts';
import type { Impersonation, Transport } from '../transport.ts';
import { type ResolvedContext, resolveContext } from './context.ts';
import type { Kubeconfig, KubeconfigUser } from './document.ts';
import { KubeconfigError } from './errors.ts';
import { fileCredentials } from './file-credentials.ts';
import type { Environment } from './load.ts';
import { readClientCertificate, readMaterial, readReferenced } from './material.ts';
import { proxyFromEnvironment } from './proxy.ts';

export interface KubeconfigTransportOptions
  extends Omit<HttpTransportOptions, 'server' | 'tls' | 'credentials' | 'impersonate' | 'proxy'> {
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** Default: `process.env`. */
  readonly environment?: Environment;
  /**
   * For a kubeconfig that someone else handed in: it may not name programs to run (`exec`) nor files to read, or whoever
   * wrote it could have us do both. Default: false.
   */
  readonly untrusted?: boolean;
}

/**
 * Opens the way to the cluster of a context. Whatever can be checked without asking the server is checked now: files,
 * certificates and their dates, settings that exclude each other.
 *
 * @example const transport = await transportFromKubeconfig(await loadKubeconfig(), { context: 'staging' });
 */
export async function transportFromKubeconfig(
  config: Kubeconfig,
  options: KubeconfigTransportOptions = {},
): Promise<Transport> {
  const { context: wanted, environment = process.env, untrusted = false, ...http } = options;
  const clock = options.clock ?? systemClock;
  const context = resolveContext(config, wanted);
  if (untrusted) refuseReach(context);
  const { cluster, user } = context;
  // As kubectl does it: credentials travel over TLS only.
  const secure = cluster.server.startsWith('https:');
  const authority =
    secure && cluster.authority !== undefined
      ? await readMaterial(cluster.authority, `the cluster ${JSON.stringify(context.clusterName)}`)
      : undefined;
  return createHttpTransport({
    ...http,
    server: cluster.server,
    tls: { authority, serverName: cluster.tlsServerName, insecure: cluster.insecure },
    credentials: secure ? await credentialsOf(context, authority, environment, clock) : noCredentials,
    impersonate: impersonationOf(user),
    proxy: cluster.proxyUrl ?? (untrusted ? undefined : proxyFromEnvironment(cluster.server, environment)),
  });
}

/** Certificates, tokens and passwords that are written down go before a plugin that would have to be run. */
async function credentialsOf(
  context: ResolvedContext,
  authority: string | undefined,
  environment: Environment,
  clock: Clock,
): Promise<Credentials> {
  const { user, userName, cluster } = context;
  const owner = `the user ${JSON.stringify(userName)}`;
  const { certificate, key, tokenFile } = user;
  const written = async () => ({
    authorization: await authorizationOf(user, owner),
    certificate:
      certificate === undefined ? undefined : await readClientCertificate(certificate, key!, owner, clock.now()),
  });
  const first = await written();
  if (first.authorization === undefined && first.certificate === undefined && user.exec !== undefined) {
    // Few kubeconfigs need it, and it brings in what starts processes.
    const { execCredentials } = await import('./exec-plugin.ts');
    return execCredentials({ exec: user.exec, userName, environment, clock, cluster: execCluster(cluster, authority) });
  }
  const inFiles = [tokenFile, certificate?.path, key?.path].some(path => path !== undefined);
  return inFiles ? fileCredentials(written, clock) : fixedCredentials(first);
}

/** A token file goes before a token: it is the one that is kept up to date. */
async function authorizationOf(user: KubeconfigUser, owner: string): Promise<string | undefined> {
  const { token, tokenFile, username, password } = user;
  if (tokenFile !== undefined) {
    const text = (await readReferenced(tokenFile, 'tokenFile', owner)).trim();
    if (text === '') {
      const message = `tokenFile of ${owner} is empty: ${tokenFile}`;
      throw new KubeconfigError('KUBECONFIG_UNREADABLE', message, { file: tokenFile });
    }
    return bearer(text);
  }
  if (token !== undefined) return bearer(token);
  return username === undefined && password === undefined ? undefined : basic(username ?? '', password ?? '');
}

function impersonationOf({ impersonate }: KubeconfigUser): Impersonation | undefined {
  const { user, uid, groups, extra } = impersonate;
  return user === undefined ? undefined : { user, groups, extra, ...(uid === undefined ? {} : { uid }) };
}

function execCluster(
  { server, tlsServerName, insecure, proxyUrl, execConfig }: ResolvedContext['cluster'],
  authority?: string,
) {
  return {
    server,
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(execConfig === undefined ? {} : { config: execConfig }),
  };
}

function refuseReach({ name, user, cluster }: ResolvedContext): void {
  const files: Record<string, unknown> = {
    'certificate-authority': cluster.authority?.path,
    'client-certificate': user.certificate?.path,
    'client-key': user.key?.path,
    tokenFile: user.tokenFile,
    exec: user.exec,
  };
  const found = Object.keys(files).find(field => files[field] !== undefined);
  if (found === undefined) return;
  const advice = found === 'exec' ? 'use a token or a certificate' : 'put the content itself in (…-data, token)';
  throw new KubeconfigError(
    'KUBECONFIG_NOT_ALLOWED',
    `the context ${JSON.stringify(name)} uses ${found}, which is not allowed here: ${advice}`,
  );
}
