import { dirname, resolve } from 'node:path';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigUser,
  Material,
} from './document.ts';
import { KubeconfigError } from './errors.ts';
import { Fields } from './fields.ts';

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/**
 * Reads the text of one kubeconfig, YAML or JSON.
 *
 * @param file where it comes from, for messages and for the relative paths in it. Without it they stay as they are.
 */
export async function parseKubeconfig(text: string, file?: string): Promise<Kubeconfig> {
  const { parse, parseDocument } = await import('yaml');
  // Everything but null and true/false stays text: a token or password of digits is not a number. Kubernetes lets the last
  // of doubled keys win.
  const document = parseDocument(text, { schema: 'failsafe', customTags: ['null', 'bool'], uniqueKeys: false });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
    const [what] = problem.message.split('\n');
    const place = `${file ?? 'the kubeconfig'}, line ${line}, column ${col}`;
    throw new KubeconfigError('KUBECONFIG_BAD_YAML', `${place}: ${what!.replace(/ at line .*$/, '')}`, { file });
  }
  // What a cluster has to say to plugins is passed on as it is, numbers as numbers.
  const execConfigs = text.includes(EXEC_EXTENSION) ? readExecConfigs(parse(text, { uniqueKeys: false })) : {};
  const root = new Fields(document.toJS() ?? {}, '', file);
  return {
    currentContext: root.text('current-context'),
    contexts: root.named('contexts', 'context', entry => parseContext(entry, file)),
    clusters: root.named('clusters', 'cluster', (entry, name) => parseCluster(entry, execConfigs[name], file)),
    users: root.named('users', 'user', entry => parseUser(entry, file)),
  };
}

function parseContext(entry: Fields, file: string | undefined): KubeconfigContext {
  return { cluster: entry.text('cluster'), user: entry.text('user'), namespace: entry.text('namespace'), file };
}

function parseCluster(entry: Fields, execConfig: unknown, file: string | undefined): KubeconfigCluster {
  return {
    server: entry.text('server'),
    tlsServerName: entry.text('tls-server-name'),
    insecure: entry.truth('insecure-skip-tls-verify'),
    authority: material(entry, 'certificate-authority', file),
    proxyUrl: entry.text('proxy-url'),
    execConfig,
    file,
  };
}

function parseUser(entry: Fields, file: string | undefined): KubeconfigUser {
  const exec = entry.inner('exec');
  return {
    certificate: material(entry, 'client-certificate', file),
    key: material(entry, 'client-key', file),
    token: entry.text('token'),
    tokenFile: besides(file, entry.text('tokenFile')),
    username: entry.text('username'),
    password: entry.text('password'),
    impersonate: {
      user: entry.text('as'),
      uid: entry.text('as-uid'),
      groups: entry.texts('as-groups'),
      extra: entry.textLists('as-user-extra'),
    },
    authProvider: entry.inner('auth-provider')?.text('name'),
    exec: exec === undefined ? undefined : parseExec(exec, file),
    file,
  };
}

function parseExec(exec: Fields, file: string | undefined): KubeconfigExec {
  const command = exec.text('command') ?? '';
  return {
    apiVersion: exec.text('apiVersion'),
    // A bare name is looked up on PATH; anything with a slash is a path.
    command: command.includes('/') ? besides(file, command)! : command,
    args: exec.texts('args'),
    env: exec.list('env').map(each => ({ name: each.text('name') ?? '', value: each.text('value') ?? '' })),
    installHint: exec.text('installHint'),
    provideClusterInfo: exec.truth('provideClusterInfo'),
    interactiveMode: exec.text('interactiveMode'),
  };
}

function material(entry: Fields, field: string, file: string | undefined): Material | undefined {
  const [data, path] = [entry.text(`${field}-data`), besides(file, entry.text(field))];
  return data === undefined && path === undefined ? undefined : { field, data, path };
}

function besides(file: string | undefined, path: string | undefined): string | undefined {
  return path === undefined || file === undefined ? path : resolve(dirname(file), path);
}

interface RawKubeconfig {
  readonly clusters?: readonly {
    readonly name?: string;
    readonly cluster?: { readonly extensions?: readonly { readonly name?: string; readonly extension?: unknown }[] };
  }[];
}

function readExecConfigs(raw: RawKubeconfig): Record<string, unknown> {
  const configs: Record<string, unknown> = {};
  for (const { name = '', cluster } of raw.clusters ?? []) {
    configs[name] ??= cluster?.extensions?.find(each => each.name === EXEC_EXTENSION)?.extension;
  }
  return configs;
}
