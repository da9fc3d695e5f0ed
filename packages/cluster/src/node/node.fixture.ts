/** A process node on a machine that only pretends, on a clock that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type ApiServer, createApiServer } from '@capstan/apiserver';
import { silentLog } from '@capstan/controller';
import {
  type Client,
  createClient,
  events,
  type Pod,
  type PodSpec,
  type ProbeAction,
  pods,
  sleep,
  systemClock,
} from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { type ContainerRuntime, type Launch, type RunningProcess, StartError } from './host/container-runtime.ts';
import type { Listener } from './host/listeners.ts';
import type { ProbeAnswer } from './probes/probing.ts';
import { startProcessNode } from './process-node.ts';
import type { RunningNode } from './running-node.ts';

/** A process of the pretended machine: the test says when it ends. */
export interface PretendedProcess {
  readonly launch: Launch;
  readonly signals: string[];
  exit(exitCode: number): void;
  /** What it does when it is told to end; by default it ends with 143. */
  onTerminate: () => void;
}

export class PretendedMachine implements ContainerRuntime {
  readonly processes: PretendedProcess[] = [];
  readonly actions: ProbeAction[] = [];
  /** What probes and hooks are answered. */
  answer: (action: ProbeAction) => ProbeAnswer = () => ({ ok: true });
  failToStart: string | undefined;
  listening: readonly Listener[] = [];
  wildcards: readonly number[] = [];

  async start(launch: Launch): Promise<RunningProcess> {
    if (this.failToStart !== undefined) throw new StartError(this.failToStart);
    const { promise: exited, resolve } = Promise.withResolvers<{ exitCode: number }>();
    const signals: string[] = [];
    const exit = (exitCode: number): void => resolve({ exitCode });
    const pretended: PretendedProcess = { launch, signals, exit, onTerminate: () => exit(143) };
    this.processes.push(pretended);
    return {
      pid: this.processes.length,
      exited,
      terminate: () => {
        signals.push('SIGTERM');
        pretended.onTerminate();
      },
      kill: () => {
        signals.push('SIGKILL');
        exit(137);
      },
    };
  }

  async execute() {
    return { stdout: new PassThrough().end(), exit: Promise.resolve(0), kill: () => {} };
  }

  listeners = async () => this.listening;
  wildcardPorts = async () => this.wildcards;

  /** The newest process of a command that begins so. */
  process(word: string): PretendedProcess | undefined {
    return this.processes.findLast(({ launch }) => launch.command[0] === word);
  }
}

export interface TestNode {
  readonly clock: SteppedClock;
  readonly client: Client;
  readonly server: ApiServer;
  readonly machine: PretendedMachine;
  /** Where the node looks for volumes that were made for claims. Not there until the test makes it. */
  readonly volumesFolder: string;
  node: RunningNode;
  /** Creates a Pod that is bound to the node. */
  run(name: string, spec: Partial<PodSpec>): Promise<void>;
  get(name: string): Promise<Pod | undefined>;
  /** Waits, without moving the clock, until the Pod is like this. */
  until(name: string, condition: (pod: Pod) => boolean): Promise<Pod>;
  gone(name: string): Promise<void>;
  process(word: string, like?: (process: PretendedProcess) => boolean): Promise<PretendedProcess>;
  /** Reasons of the Events of a Pod, in the order of their first appearance. */
  reasons(): Promise<string[]>;
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** Real time is only waited for where files are written on the way. */
const DEADLINE = 10_000;

export async function createTestNode(): Promise<TestNode> {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport(), clock, random });
  const machine = new PretendedMachine();
  const folder = mkdtempSync(join(tmpdir(), 'capstan-node-'));
  const volumesFolder = join(folder, 'volumes');
  const runAction = async (action: ProbeAction): Promise<ProbeAnswer> => {
    machine.actions.push(action);
    return machine.answer(action);
  };
  const start = (): Promise<RunningNode> =>
    startProcessNode({
      transport: server.transport(),
      folder,
      volumesFolder,
      clock,
      random,
      log: silentLog,
      name: 'test',
      agents: server.nodes,
      server: { host: '127.0.0.1', port: 6443 },
      machine: { runtime: machine, runAction, privateRoots: Promise.resolve(true) },
    });
  const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined, what: () => string): Promise<T> => {
    const end = systemClock.now() + DEADLINE;
    for (;;) {
      await clock.advance(0);
      const found = await look();
      if (found !== undefined) return found;
      if (systemClock.now() > end) throw new Error(`it did not come to that: ${what()}`);
      await sleep(systemClock, 2);
    }
  };
  const get = async (name: string): Promise<Pod | undefined> =>
    (await client.list(pods, { namespace: 'default', fields: `metadata.name=${name}` })).items[0];
  let last: Pod | undefined;
  const test: TestNode = {
    clock,
    client,
    server,
    machine,
    volumesFolder,
    node: await start(),
    get,
    async run(name, spec) {
      const containers = [{ name: 'app', image: 'none', command: ['app'] }];
      const whole = { nodeName: 'test', containers, ...spec };
      await client.create(pods, { metadata: { name, namespace: 'default', labels: { app: name } }, spec: whole });
    },
    until: (name, condition) =>
      eventually(
        async () => {
          last = await get(name);
          return last !== undefined && condition(last) ? last : undefined;
        },
        () => JSON.stringify(last?.status, null, 1),
      ),
    gone: async name =>
      void (await eventually(
        async () => ((await get(name)) === undefined ? true : undefined),
        () => 'gone',
      )),
    process: (word, like = () => true) =>
      eventually(
        () => machine.processes.findLast(process => process.launch.command[0] === word && like(process)),
        () => `no process ${word}`,
      ),
    async reasons() {
      await clock.advance(0);
      const { items } = await client.list(events, { namespace: 'default' });
      const known = items.toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
      return known.map(({ reason = '' }) => reason);
    },
    async restart() {
      await stopped(test.node, clock);
      test.node = await start();
    },
    async end() {
      await stopped(test.node, clock);
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return test;
}

/** Stopping takes virtual time where a process is slow to end. */
async function stopped(node: RunningNode, clock: SteppedClock): Promise<void> {
  let over = false;
  const stopping = node.stop().finally(() => {
    over = true;
  });
  const end = systemClock.now() + DEADLINE;
  while (!over && systemClock.now() < end) {
    await clock.advance(1000);
    await sleep(systemClock, 1);
  }
  await stopping;
}
