/**
 * Credential plugins: programs that print credentials (`aws eks get-token`, `gke-gcloud-auth-plugin`, `kubelogin`). What
 * they say is used until it expires or the server refuses it.
 */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../clock.ts';
import { bearer, type Credential, type Credentials } from '../http/credentials.ts';
import type { KubeconfigExec } from './document.ts';
import { KubeconfigError } from './errors.ts';
import type { Environment } from './load.ts';
import { checkClientCertificate } from './material.ts';

export interface ExecPluginSettings {
  readonly exec: KubeconfigExec;
  readonly userName: string;
  /** What the plugin is told of the cluster if it asks for that (`provideClusterInfo`). */
  readonly cluster: ExecCluster;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Milliseconds after which a plugin that asks nobody anything is ended. Default: a minute. */
  readonly timeout?: number;
  /** Whether there is a person at standard input. Default: whether it is a terminal. */
  readonly terminal?: boolean;
}

/** `spec.cluster` of an ExecCredential. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly config?: unknown;
}

export function execCredentials(settings: ExecPluginSettings): Credentials {
  let running: Promise<Held> | undefined;
  let held: Held | undefined;
  const renew = (): Promise<Held> => {
    // However many requests wait, the plugin runs once: it may be asking a person.
    running ??= runPlugin(settings)
      .then(fresh => {
        held = fresh;
        return fresh;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    async current() {
      const valid = held !== undefined && settings.clock.now() < held.expires;
      return (valid ? held! : await renew()).credential;
    },
    async refused(credential) {
      if (held?.credential === credential) held = undefined;
      return true;
    },
  };
}

interface Held {
  readonly credential: Credential;
  /** Milliseconds since the epoch; infinity if the plugin does not say. */
  readonly expires: number;
}

async function runPlugin(settings: ExecPluginSettings): Promise<Held> {
  const { exec, environment } = settings;
  const interactive = isInteractive(settings);
  const info = {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { interactive, ...(exec.provideClusterInfo ? { cluster: settings.cluster } : {}) },
  };
  const own = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]));
  const output = await runProgram(settings, interactive, {
    ...environment,
    ...own,
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  });
  return readCredential(output, settings);
}

function isInteractive(settings: ExecPluginSettings): boolean {
  const terminal = settings.terminal ?? process.stdin.isTTY === true;
  switch (settings.exec.interactiveMode) {
    case 'Never':
      return false;
    case 'Always':
      if (!terminal) throw failed(settings, 'needs a person to answer it, and standard input is not a terminal');
      return true;
    default:
      return terminal;
  }
}

const TAIL = 300;

function runProgram(settings: ExecPluginSettings, interactive: boolean, env: NodeJS.ProcessEnv): Promise<string> {
  const { exec, clock, timeout = 60_000 } = settings;
  return new Promise((resolve, reject) => {
    const stdio = interactive ? (['inherit', 'pipe', 'inherit'] as const) : (['ignore', 'pipe', 'pipe'] as const);
    const child = spawn(exec.command, exec.args, { env, stdio: [...stdio] });
    const deadline = interactive ? undefined : clock.after(timeout, () => child.kill('SIGKILL'));
    let output = '';
    let complaint = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-TAIL);
    });
    child.on('error', error => {
      deadline?.cancel();
      reject(spawnFailure(settings, error));
    });
    child.on('close', (code, signal) => {
      deadline?.cancel();
      if (code === 0) resolve(output);
      else if (signal === 'SIGKILL' && deadline !== undefined)
        reject(failed(settings, `gave no answer in ${timeout} ms`));
      else reject(failed(settings, `failed with ${signal ?? `exit code ${code}`}: ${complaint.trim()}`));
    });
  });
}

function spawnFailure(settings: ExecPluginSettings, error: Error): KubeconfigError {
  const { command, installHint } = settings.exec;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return failed(settings, `cannot be started: ${error.message}`);
  // Hints come from a file and go to a terminal: colours and cursor movements stay out.
  const hint = installHint === undefined ? '' : stripVTControlCharacters(installHint).trim();
  const place = command.includes('/') ? 'there is no such file' : 'it is not on PATH';
  return failed(settings, `is not installed (${place})${hint ? `. ${hint}` : ''}`);
}

function readCredential(output: string, settings: ExecPluginSettings): Held {
  const { exec, userName, clock } = settings;
  const answer = parseAnswer(output);
  if (answer === undefined || answer.kind !== 'ExecCredential')
    throw failed(settings, 'did not print an ExecCredential');
  if (answer.apiVersion !== exec.apiVersion) {
    throw failed(settings, `is set up for ${exec.apiVersion} but answered in ${String(answer.apiVersion)}`);
  }
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = answer.status ?? {};
  if (!token && !certificate && !key) throw failed(settings, 'printed neither a token nor a certificate');
  if (!certificate !== !key) throw failed(settings, 'printed a certificate or a key, but not both');
  const pair = certificate && key ? { certificate, key } : undefined;
  if (pair !== undefined) checkClientCertificate(pair, `the user ${JSON.stringify(userName)}`, clock.now());
  const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY;
  if (Number.isNaN(expires)) throw failed(settings, 'printed an expirationTimestamp that is not a time');
  return { credential: { authorization: token ? bearer(token) : undefined, certificate: pair }, expires };
}

interface ExecAnswer {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  } | null;
}

/** What was printed is never shown: it may hold the token. */
function parseAnswer(output: string): ExecAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(output);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

function failed({ exec, userName }: ExecPluginSettings, what: string): KubeconfigError {
  const plugin = `the credential plugin ${JSON.stringify(exec.command)} of the user ${JSON.stringify(userName)}`;
  return new KubeconfigError('KUBECONFIG_EXEC_FAILED', `${plugin} ${what}`);
}
