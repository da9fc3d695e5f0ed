/** What a node needs of the machine to run a container: the seam between its rules and real processes. */
import type { Readable, Writable } from 'node:stream';
import type { Listener } from './listeners.ts';

export type OutputStream = 'stdout' | 'stderr';

/** Everything that is decided before a container's process begins. */
export interface Launch {
  /** Of this instance: 64 hexadecimal digits. */
  readonly id: string;
  readonly podUid: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it begins: a path as the container sees it. */
  readonly workingDir: string;
  /** Undefined: it runs in the file system of the machine, as it is. */
  readonly root?: PrivateRoot;
  /** Keep standard input open, for `kubectl attach -i`. */
  readonly stdin: boolean;
  readonly onOutput: (stream: OutputStream, chunk: Buffer) => void;
}

/** A file system of the container's own: the machine's, with directories and files laid over it. */
export interface PrivateRoot {
  /** Where what it writes is kept; forgotten with the instance. */
  readonly folder: string;
  readonly mounts: readonly Mount[];
}

export interface Mount {
  /** On the machine. */
  readonly source: string;
  /** In the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

export interface Exit {
  /** 128 + n where signal n ended it. */
  readonly exitCode: number;
}

export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the process and everything that it started are gone and all output was handed on. */
  readonly exited: Promise<Exit>;
  readonly stdin?: Writable;
  /** SIGTERM to the process itself, which is what a container's first process gets. */
  terminate(): void;
  /** SIGKILL to all of its processes. */
  kill(): void;
}

/** A further command in a running container. */
export interface Execution {
  readonly stdin?: Writable;
  readonly stdout: Readable;
  readonly stderr?: Readable;
  readonly exit: Promise<number>;
  kill(): void;
}

export interface ExecutionRequest {
  readonly process: RunningProcess;
  readonly launch: Launch;
  readonly command: readonly string[];
  readonly stdin: boolean;
  /** A terminal: one output for both streams. */
  readonly tty: boolean;
}

/** The process could not be made: a program that is not there, a directory that cannot be entered. Reported as StartError. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface ContainerRuntime {
  /** Rejects with a `StartError`. */
  start(launch: Launch): Promise<RunningProcess>;
  execute(request: ExecutionRequest): Promise<Execution>;
  /** Everything on this machine that listens for TCP. */
  listeners(): Promise<readonly Listener[]>;
  /** The ports on which the container listens on every address. */
  wildcardPorts(process: RunningProcess): Promise<readonly number[]>;
}
