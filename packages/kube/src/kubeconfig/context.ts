import { validateDns1123Label } from '../names.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from './document.ts';
import { KubeconfigError, type KubeconfigErrorCode } from './errors.ts';

/** One context with what it refers to, checked. */
export interface ResolvedContext {
  readonly name: string;
  readonly cluster: KubeconfigCluster & { readonly server: string };
  readonly clusterName: string;
  readonly user: KubeconfigUser;
  readonly userName: string;
  /** `default` if the context names none. */
  readonly namespace: string;
}

/** Finds a context (the current one if none is named) and checks everything it refers to that needs no file to be read. */
export function resolveContext(config: Kubeconfig, wanted?: string): ResolvedContext {
  const name = wanted ?? config.currentContext;
  if (name === undefined) {
    const choice = listed('contexts', config.contexts);
    throw new KubeconfigError('KUBECONFIG_NO_CONTEXT', `the kubeconfig has no current-context; ${choice}`);
  }
  const context = entry(config.contexts, name, 'contexts', 'KUBECONFIG_UNKNOWN_CONTEXT', 'there is no context');
  const { file, namespace = 'default' } = context;
  const missing = (what: string): KubeconfigError =>
    new KubeconfigError('KUBECONFIG_BAD_FIELD', `the context ${quoted(name)} names no ${what}`, { file });
  if (context.cluster === undefined) throw missing('cluster');
  if (context.user === undefined) throw missing('user');
  if (validateDns1123Label(namespace).length > 0) {
    const message = `the namespace ${quoted(namespace)} of the context ${quoted(name)} is not a valid name`;
    throw new KubeconfigError('KUBECONFIG_BAD_FIELD', message, { file });
  }
  const owner = `the context ${quoted(name)} refers to`;
  const cluster = entry(
    config.clusters,
    context.cluster,
    'clusters',
    'KUBECONFIG_UNKNOWN_CLUSTER',
    `${owner} the cluster`,
  );
  const user = entry(config.users, context.user, 'users', 'KUBECONFIG_UNKNOWN_USER', `${owner} the user`);
  const server = checkCluster(cluster, context.cluster);
  checkUser(user, context.user);
  return {
    name,
    cluster: { ...cluster, server },
    clusterName: context.cluster,
    user,
    userName: context.user,
    namespace,
  };
}

function entry<T>(
  entries: Readonly<Record<string, T>>,
  name: string,
  kind: string,
  code: KubeconfigErrorCode,
  opening: string,
): T {
  if (Object.hasOwn(entries, name)) return entries[name]!;
  const gap = opening.startsWith('there') ? '' : ', which does not exist';
  throw new KubeconfigError(code, `${opening} ${quoted(name)}${gap}; ${listed(kind, entries)}`);
}

function listed(kind: string, entries: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(entries).sort();
  return names.length === 0 ? `there are no ${kind}` : `${kind}: ${names.join(', ')}`;
}

/** Checks a cluster and gives its address with the scheme: `https` unless it says otherwise. */
function checkCluster(cluster: KubeconfigCluster, name: string): string {
  const { file, authority, insecure, server, proxyUrl } = cluster;
  const refuse = (code: KubeconfigErrorCode, what: string): KubeconfigError =>
    new KubeconfigError(code, `the cluster ${quoted(name)} ${what}`, { file });
  if (server === undefined) throw refuse('KUBECONFIG_BAD_FIELD', 'has no server');
  const secured = insecure || authority !== undefined;
  const address = /^[a-z]+:\/\//i.test(server) ? server : `${secured ? 'https' : 'http'}://${server}`;
  if (!/^https?:$/.test(protocolOf(address))) {
    throw refuse('KUBECONFIG_BAD_FIELD', `has the server ${quoted(server)}, which is not an http(s) address`);
  }
  if (insecure && authority !== undefined) {
    throw refuse('KUBECONFIG_CONFLICT', 'has both insecure-skip-tls-verify and a certificate-authority: drop one');
  }
  if (authority?.data !== undefined && authority.path !== undefined) {
    throw refuse('KUBECONFIG_CONFLICT', 'has both certificate-authority and certificate-authority-data: drop one');
  }
  if (proxyUrl !== undefined && !/^(https?|socks5):$/.test(protocolOf(proxyUrl))) {
    throw refuse('KUBECONFIG_BAD_FIELD', 'has a proxy-url that is neither http, https nor socks5');
  }
  return address;
}

function checkUser(user: KubeconfigUser, name: string): void {
  const { certificate, key, token, username, password, impersonate, exec, authProvider, file } = user;
  const refuse = (code: KubeconfigErrorCode, what: string): KubeconfigError =>
    new KubeconfigError(code, `the user ${quoted(name)} ${what}`, { file });
  if (authProvider !== undefined) {
    const advice = 'which Kubernetes dropped in 1.26: use the credential plugin of your provider (exec)';
    throw refuse('KUBECONFIG_AUTH_PROVIDER', `has the auth-provider ${quoted(authProvider)}, ${advice}`);
  }
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw refuse('KUBECONFIG_CONFLICT', 'has both a token and a username or password: drop one');
  }
  if (token !== undefined && !/^[\x20-\x7e]*$/.test(token)) {
    throw refuse('KUBECONFIG_BAD_FIELD', 'has a token with a line break or another character that no header can carry');
  }
  for (const material of [certificate, key]) {
    if (material?.data !== undefined && material.path !== undefined) {
      throw refuse('KUBECONFIG_CONFLICT', `has both ${material.field} and ${material.field}-data: drop one`);
    }
  }
  if (certificate !== undefined && key === undefined) {
    throw refuse('KUBECONFIG_BAD_FIELD', 'has a client-certificate but no client-key');
  }
  const { uid, groups, extra } = impersonate;
  if (impersonate.user === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    throw refuse('KUBECONFIG_BAD_FIELD', 'has as-uid, as-groups or as-user-extra without as');
  }
  if (exec !== undefined) {
    const problem = execProblem(exec);
    if (problem !== undefined) throw refuse('KUBECONFIG_EXEC_INVALID', `has a credential plugin (exec) ${problem}`);
  }
}

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function execProblem({
  command,
  apiVersion,
  env,
  interactiveMode,
}: NonNullable<KubeconfigUser['exec']>): string | undefined {
  if (command === '') return 'without a command';
  if (apiVersion === undefined) return 'without an apiVersion';
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    return `of apiVersion ${quoted(apiVersion)}; supported: ${EXEC_VERSIONS.join(', ')}`;
  }
  if (env.some(({ name }) => name === '')) return 'with an environment variable that has no name';
  if (interactiveMode === undefined) return apiVersion.endsWith('/v1') ? 'without an interactiveMode' : undefined;
  if (!['Never', 'IfAvailable', 'Always'].includes(interactiveMode)) {
    return `with the interactiveMode ${quoted(interactiveMode)}; known: Never, IfAvailable, Always`;
  }
  return undefined;
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

const quoted = (text: string): string => JSON.stringify(text);
