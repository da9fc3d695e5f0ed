/** A node for the tests of this package: commands are local processes, logs are what a test writes, ports are those of loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ExecRequest, LogEntry, LogRequest, NodeAgent, TerminalSize } from './node-agent.ts';

export class ProcessAgent implements NodeAgent {
  readonly children: ChildProcess[] = [];
  readonly sizes: TerminalSize[] = [];
  readonly log = new WrittenLog();

  logs = async ({ container, follow, previous, tailLines, signal }: LogRequest): Promise<AsyncIterable<LogEntry>> => {
    if (previous) throw new Error(`previous log of ${container} is lost`);
    return this.log.read({ follow, from: tailLines ?? Number.POSITIVE_INFINITY, signal });
  };

  exec: NodeAgent['exec'] = async request => {
    const child = await this.#start(request);
    const exit = once(child, 'exit').then(([code]) => (code as number | null) ?? 137);
    return { ...this.#streams(child, request), exit };
  };

  /** The container's own process is one that repeats what it hears. */
  attach: NodeAgent['attach'] = async request => {
    const child = await this.#start({ ...request, command: ['cat'] });
    return { ...this.#streams(child, request), ended: once(child, 'exit').then(() => {}) };
  };

  portForward: NodeAgent['portForward'] = async ({ port, signal }) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, signal });
    await once(socket, 'connect');
    return socket;
  };

  async #start({ command, signal }: Pick<ExecRequest, 'command' | 'signal'>): Promise<ChildProcess> {
    const [program, ...words] = command;
    const child = spawn(program!, words, { stdio: 'pipe' });
    await once(child, 'spawn');
    signal.addEventListener('abort', () => child.kill('SIGKILL'));
    this.children.push(child);
    return child;
  }

  #streams(child: ChildProcess, { stdin, stdout, stderr }: Pick<ExecRequest, 'stdin' | 'stdout' | 'stderr'>) {
    if (!stdin) child.stdin!.end();
    if (!stderr) child.stderr!.resume();
    return {
      ...(stdin && { stdin: child.stdin! }),
      ...(stdout && { stdout: child.stdout! }),
      ...(stderr && { stderr: child.stderr! }),
      resize: (size: TerminalSize) => void this.sizes.push(size),
    };
  }
}

/** Lines that a test writes, one after the other; `end` is the end of the container. */
export class WrittenLog {
  readonly #entries: LogEntry[] = [];
  #ended = false;
  #wake = new Set<() => void>();
  /** How many are reading now. */
  readers = 0;

  write(text: string, time = 0, stream: LogEntry['stream'] = 'stdout'): void {
    this.#entries.push({ time, stream, content: Buffer.from(text) });
    this.#changed();
  }

  end(): void {
    this.#ended = true;
    this.#changed();
  }

  async *read({ follow, from, signal }: { follow: boolean; from: number; signal: AbortSignal }) {
    this.readers += 1;
    try {
      let next = Math.max(0, this.#entries.length - from);
      for (;;) {
        while (next < this.#entries.length) yield this.#entries[next++]!;
        if (!follow || this.#ended || signal.aborted) return;
        await new Promise<void>(resolve => {
          this.#wake.add(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    } finally {
      this.readers -= 1;
    }
  }

  #changed(): void {
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }
}
