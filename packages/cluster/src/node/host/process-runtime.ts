/** Containers as processes of this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { type Clock, sleep } from '@capstan/kube';
import {
  type ContainerRuntime,
  type Execution,
  type ExecutionRequest,
  type Exit,
  type Launch,
  type RunningProcess,
  StartError,
} from './container-runtime.ts';
import { findProgram } from './find-program.ts';
import { CONTAINER_VARIABLE, endMarked, NODE_VARIABLE, RUN_VARIABLE, signalGroup } from './left-behind.ts';
import { allListeners, wildcardPorts } from './listeners.ts';
import { inPrivateRoot, inRunningRoot, type RootMode, removeRoot } from './private-root.ts';
import { bootId, startTimeOf } from './proc.ts';
import type { RunningFiles } from './running-files.ts';
import { Sweeper } from './sweeper.ts';

export interface ProcessRuntimeOptions {
  readonly clock: Clock;
  readonly nodeId: string;
  /** Of this start of Capstan. */
  readonly runId: string;
  readonly files: RunningFiles;
  /** Found out while other things begin; only containers with volumes wait for it. */
  readonly rootMode: Promise<RootMode>;
}

/**
 * The process waits here until its record is on disk and it is told to go on. If Capstan ends in between, what it reads is the end of the pipe, and
 * no program was ever run.
 */
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"';
/** With a private root the pipe stays open, and says in the end that the program itself comes next. */
const GATE_TO_ROOT = 'read -r go <&3 || exit 125; exec "$@"';
/** Output that nobody writes any more has arrived within this. */
const LAST_OUTPUT = 1_000;

export function createProcessRuntime(options: ProcessRuntimeOptions): ContainerRuntime {
  const { clock, nodeId, runId, files, rootMode } = options;
  const sweeper = new Sweeper(ids => endMarked(ids, clock));
  const boot = bootId();

  const marked = (env: Launch['env'], id: string): Record<string, string> => ({
    ...env,
    [CONTAINER_VARIABLE]: id,
    [NODE_VARIABLE]: nodeId,
    [RUN_VARIABLE]: runId,
  });

  const finished = async (child: ChildProcess, launch: Launch, pid: number): Promise<Exit> => {
    const closed = once(child, 'close');
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // What is left of a container ends with its first process.
    signalGroup(pid);
    await sweeper.sweep(launch.id);
    const enough = new AbortController();
    await Promise.race([closed, sleep(clock, LAST_OUTPUT, enough.signal).catch(() => {})]);
    enough.abort();
    files.remove(launch.id);
    if (launch.root !== undefined) await removeRoot(launch.root);
    return { exitCode: code ?? 128 + signalNumber(signal) };
  };

  return {
    listeners: allListeners,
    wildcardPorts: ({ pid }) => wildcardPorts(pid),

    async start(launch) {
      const problem = problemWith(launch);
      if (problem !== undefined) throw new StartError(problem);
      const command =
        launch.root === undefined
          ? launch.command
          : await inPrivateRoot(launch.root, launch.workingDir, launch.command, await rootMode);
      const child = spawn('/bin/sh', ['-c', launch.root === undefined ? GATE : GATE_TO_ROOT, 'capstan', ...command], {
        cwd: launch.root === undefined ? launch.workingDir : '/',
        env: marked(launch.env, launch.id),
        detached: true,
        stdio: [launch.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
      });
      const { pid } = child;
      if (pid === undefined) {
        const [error] = (await once(child, 'error')) as [Error];
        throw new StartError(`${error.message} (working directory ${launch.workingDir})`);
      }
      const exited = finished(child, launch, pid);
      child.stdout!.on('data', (chunk: Buffer) => launch.onOutput('stdout', chunk));
      child.stderr!.on('data', (chunk: Buffer) => launch.onOutput('stderr', chunk));
      files.write({
        containerId: launch.id,
        pid,
        startTime: startTimeOf(pid) ?? '',
        bootId: boot,
        podUid: launch.podUid,
      });
      const gate = openGate(child);
      if (launch.root !== undefined && !(await saysUp(gate))) {
        await exited;
        throw new StartError('the file system of the container could not be made; its log tells why');
      }
      return {
        pid,
        exited,
        ...(launch.stdin && { stdin: child.stdin! }),
        terminate: () => void child.kill('SIGTERM'),
        kill: () => void signalGroup(pid),
      } satisfies RunningProcess;
    },

    async execute({ process: container, launch, command, stdin, tty }: ExecutionRequest): Promise<Execution> {
      const inside = launch.root === undefined ? command : inRunningRoot(container.pid, command, await rootMode);
      const whole = tty ? withTerminal(inside) : inside;
      const child = spawn(whole[0]!, whole.slice(1), {
        cwd: launch.root === undefined ? launch.workingDir : '/',
        env: marked(launch.env, launch.id),
        detached: true,
        stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      });
      const { pid } = child;
      if (pid === undefined) {
        const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
        throw new StartError(
          error.code === 'ENOENT'
            ? `exec: ${JSON.stringify(command[0])}: executable file not found in $PATH`
            : error.message,
        );
      }
      const exit = once(child, 'exit').then(([code, signal]) => {
        signalGroup(pid);
        return (code as number | null) ?? 128 + signalNumber(signal as NodeJS.Signals | null);
      });
      return {
        ...(stdin && { stdin: child.stdin! }),
        stdout: kept(child.stdout!),
        ...(!tty && { stderr: kept(child.stderr!) }),
        exit,
        kill: () => void signalGroup(pid),
      };
    },
  };
}

/** Node throws away what nobody has begun to read when a process ends: a command may be faster than its reader. */
function kept(output: Readable): Readable {
  return output.pipe(new PassThrough());
}

function openGate(child: ChildProcess): Duplex {
  const gate = child.stdio[3] as Duplex;
  gate.on('error', () => {});
  gate.write('go\n');
  return gate;
}

/** False: the pipe was closed without a word, so the root was not made. */
async function saysUp(gate: Duplex): Promise<boolean> {
  let said = false;
  gate.on('data', () => {
    said = true;
  });
  if (!gate.closed) await once(gate, 'close').catch(() => {});
  return said;
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}

/** util-linux's `script` gives a command a terminal of its own. */
function withTerminal(command: readonly string[]): readonly string[] {
  const quoted = command.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return ['script', '--quiet', '--return', '--flush', '--command', quoted, '/dev/null'];
}

/** Why the program cannot run, as far as it can be told from outside: one in a volume is found by the container itself. */
function problemWith({ command: [program = ''], env, workingDir, root }: Launch): string | undefined {
  const inVolume = root?.mounts.some(({ target }) => program.startsWith(`${target}/`) || workingDir.startsWith(target));
  if (inVolume && program.includes('/')) return undefined;
  const found = findProgram(program, env['PATH'] ?? '', workingDir);
  return 'problem' in found ? found.problem : undefined;
}
