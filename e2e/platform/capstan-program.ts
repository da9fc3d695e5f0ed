/** `capstan up` as a program of its own, for tests that stop, kill and start it as a person does. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient, loadKubeconfig, transportFromKubeconfig } from '@capstan/kube';
// @ts-expect-error: plain JavaScript, which says in its comments what it gives
import { freshBundle } from '../../packages/cli/bin/sources.mjs';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface CapstanProgram {
  readonly child: ChildProcess;
  /** Where it keeps everything. */
  readonly data: string;
  readonly kubeconfig: string;
  /** What it has said so far, on both of its outputs. */
  output(): string;
  /** Resolves when the output has the text; rejects when the program ends without it. */
  until(text: string): Promise<void>;
  /** To the program and all that shares its terminal, as Ctrl-C does. */
  signal(signal: NodeJS.Signals): void;
  readonly exit: Promise<Ending>;
  /** As the administrator. */
  client(): Promise<Client>;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What `npm start` does first. Every later start of a test runs the same program, whatever is edited meanwhile. */
let bundled: string | undefined;

export function makeBundle(): void {
  spawnSync(process.execPath, [join(repository, 'scripts/bundle/main.mjs')]);
  bundled = freshBundle() as string | undefined;
}

/** `capstan up --data <data> …`, straight, as `npm start` ends in. */
export function capstanUp(data: string, ...args: readonly string[]): CapstanProgram {
  const program = bundled ?? join(repository, 'packages/cli/bin/capstan.mjs');
  // Not from npm, whoever runs the tests.
  const { npm_lifecycle_event: _, ...env } = process.env;
  return follow(spawn(process.execPath, [program, 'up', '--data', data, ...args], { detached: true, env }), data);
}

/** `npm start -- --data <data> …`, as a person types it. */
export function npmStart(data: string, ...args: readonly string[]): CapstanProgram {
  const words = ['start', '--silent', '--', '--data', data, ...args];
  return follow(spawn('npm', words, { cwd: repository, detached: true }), data);
}

export const RUNNING = 'Capstan is running';

function follow(child: ChildProcess, data: string): CapstanProgram {
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', text => {
      output += text;
      for (const check of waiting) check();
    });
  }
  const exit = new Promise<Ending>(resolve => child.once('close', (code, signal) => resolve({ code, signal })));
  const kubeconfig = join(data, 'kubeconfig');
  return {
    child,
    data,
    kubeconfig,
    output: () => output,
    exit,
    until: text =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (output.includes(text)) resolve();
        };
        waiting.add(check);
        check();
        void exit.then(() => reject(new Error(`ended without "${text}": ${output}`)));
      }),
    signal: signal => {
      try {
        process.kill(-child.pid!, signal);
      } catch {
        // It is gone already.
      }
    },
    async client() {
      return createClient({ transport: await transportFromKubeconfig(await loadKubeconfig({ path: kubeconfig })) });
    },
  };
}

/** The mark that every process of this data folder's Pods carries. */
export function nodeMark(data: string): string {
  return `CAPSTAN_NODE_ID=${readFileSync(join(data, 'node/node-id'), 'utf8').trim()}`;
}
