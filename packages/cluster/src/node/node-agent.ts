/** Logs, exec, attach and port-forward: what the API server asks a node for. */
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { PassThrough } from 'node:stream';
import type {
  AttachSession,
  ContainerRequest,
  ExecRequest,
  ExecSession,
  LogEntry,
  LogRequest,
  NodeAgent,
  PortForwardRequest,
} from '@capstan/apiserver';
import type { NodeContainer } from './container.ts';
import type { ContainerRuntime } from './host/container-runtime.ts';
import type { PodLogs } from './logs/pod-logs.ts';
import { readLog } from './logs/read-log.ts';
import type { PodWorker } from './pod-worker.ts';

export interface NodeAgentOptions {
  /** The Pod with this uid, while this node has it. */
  readonly worker: (uid: string) => PodWorker | undefined;
  readonly logs: (worker: PodWorker) => PodLogs;
  readonly runtime: ContainerRuntime;
}

export function createNodeAgent({ worker, logs, runtime }: NodeAgentOptions): NodeAgent {
  const workerOf = ({ pod }: { readonly pod: ContainerRequest['pod'] }): PodWorker => {
    const found = worker(pod.metadata.uid ?? '');
    if (found === undefined) throw new Error(`pod ${JSON.stringify(pod.metadata.name)} is not on this node any more`);
    return found;
  };
  const containerOf = (request: ContainerRequest): NodeContainer => {
    const found = workerOf(request).containers.find(({ name }) => name === request.container);
    if (found === undefined) throw new Error(`container ${request.container} is not one that this node runs`);
    return found;
  };
  const runningOf = (request: ContainerRequest) => {
    const { running } = containerOf(request);
    if (running === undefined) throw new Error(`container ${request.container} is not running`);
    return running;
  };

  return {
    async logs(request: LogRequest): Promise<AsyncIterable<LogEntry>> {
      const container = containerOf(request);
      const podLogs = logs(workerOf(request));
      const instance = instanceOf(request, container);
      const live = request.follow && !request.previous ? podLogs.live(container.name, instance) : undefined;
      const { tailLines, signal } = request;
      return readLog({ file: podLogs.fileOf(container.name, instance), tailLines, follow: live, signal });
    },

    async exec(request: ExecRequest): Promise<ExecSession> {
      const { command, stdin, stdout, stderr, tty, signal } = request;
      const execution = await runtime.execute({ ...runningOf(request), command, stdin, tty });
      const abort = (): void => execution.kill();
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      void execution.exit.finally(() => signal.removeEventListener('abort', abort));
      if (!stdout) execution.stdout.resume();
      if (!stderr) execution.stderr?.resume();
      return {
        ...(execution.stdin && { stdin: execution.stdin }),
        ...(stdout && { stdout: execution.stdout }),
        ...(stderr && execution.stderr && { stderr: execution.stderr }),
        resize: () => {},
        exit: execution.exit,
      };
    },

    async attach(request): Promise<AttachSession> {
      const { process } = runningOf(request);
      const container = containerOf(request);
      const { restarts } = container.facts;
      const podLogs = logs(workerOf(request));
      const live = podLogs.live(container.name, restarts);
      const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
      const file = podLogs.fileOf(container.name, restarts);
      // The output of a container is its log: attaching is following it from now on.
      const entries = readLog({ file, tailLines: 0, follow: live, signal: request.signal });
      const ended = pour(entries, outputs, request.signal);
      return {
        ...(request.stdin && process.stdin && { stdin: process.stdin }),
        ...(request.stdout && { stdout: outputs.stdout }),
        ...(request.stderr && { stderr: outputs.stderr }),
        resize: () => {},
        ended,
      };
    },

    async portForward(request: PortForwardRequest): Promise<Duplex> {
      const { podIP } = workerOf(request);
      const { port, signal } = request;
      return new Promise((resolve, reject) => {
        const socket = connect({ host: podIP, port, signal, allowHalfOpen: true });
        socket.once('connect', () => resolve(socket));
        socket.once('error', error =>
          reject(new Error(`failed to connect to ${podIP}:${port} of the Pod: ${error.message}`)),
        );
      });
    },
  };
}

/** Which instance is meant, or why there is none to read, in a kubelet's words. */
function instanceOf({ previous, pod, container: name }: LogRequest, { facts }: NodeContainer): number {
  const { state, last, restarts } = facts;
  const quoted = `container ${JSON.stringify(name)} in pod ${JSON.stringify(pod.metadata.name)}`;
  const waits = state.type === 'new' || state.type === 'blocked' || state.type === 'starting';
  if (previous) {
    if (last === undefined) throw new Error(`previous terminated ${quoted} not found`);
    return state.type === 'new' ? restarts : restarts - 1;
  }
  if (!waits) return restarts;
  if (last !== undefined) return state.type === 'new' ? restarts : restarts - 1;
  const reason = state.type === 'blocked' ? `trying and failing to pull image` : 'ContainerCreating';
  throw new Error(
    `${quoted} is waiting to start: ${state.type === 'blocked' && state.reason !== 'ErrImagePull' ? state.reason : reason}`,
  );
}

async function pour(
  entries: AsyncIterable<LogEntry>,
  outputs: Readonly<Record<'stdout' | 'stderr', PassThrough>>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { stream, content } of entries) {
      const output = outputs[stream];
      if (output.destroyed) continue;
      if (!output.write(content) && output.readableFlowing) {
        await new Promise<void>(resolve => {
          output.once('drain', resolve);
          output.once('close', resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
  } finally {
    outputs.stdout.end();
    outputs.stderr.end();
  }
}
