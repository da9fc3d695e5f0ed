/**
 * The process node: Pods that are bound to it run as processes of this machine. It is a kubelet in what it says and does, and has no container
 * runtime beneath it; docs/node.md tells what that means.
 */
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ApiServer } from '@capstan/apiserver';
import { type CacheChange, createManager, type Log, type Manager } from '@capstan/controller';
import {
  type Clock,
  configMaps,
  type ObjectReference,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Random,
  secrets,
  services,
  systemClock,
  systemRandom,
  type Transport,
} from '@capstan/kube';
import { builtinImages, type ImageCatalogue } from '../images/catalogue.ts';
import { Addresses, loopbackBlock } from './addresses.ts';
import type { Surroundings } from './environment/downward.ts';
import type { ApiAddress } from './environment/service-links.ts';
import type { ContainerRuntime } from './host/container-runtime.ts';
import { endLeftBehind } from './host/left-behind.ts';
import { detectRootMode, type RootMode } from './host/private-root.ts';
import { bootId } from './host/proc.ts';
import { createProcessRuntime } from './host/process-runtime.ts';
import { startReaper } from './host/reaper.ts';
import { removeTree } from './host/remove-tree.ts';
import { RunningFiles } from './host/running-files.ts';
import { PodLogs } from './logs/pod-logs.ts';
import { createNodeAgent } from './node-agent.ts';
import { nodeIdentity } from './node-identity.ts';
import { keepLease, registerNode, thisMachine, writeNodeStatus } from './node-object.ts';
import type { PodContext } from './pod-context.ts';
import { PodWorker } from './pod-worker.ts';
import { type RunAction, runAction } from './probes/run-action.ts';
import { type References, referencesOf } from './references.ts';
import type { RunningNode } from './running-node.ts';
import { prepareVolumes } from './volumes/pod-volumes.ts';
import { ServiceAccountTokens } from './volumes/tokens.ts';

export interface ProcessNodeOptions {
  readonly transport: Transport;
  /** What the node keeps: logs, volumes, what runs. One node at a time may have it. */
  readonly folder: string;
  /**
   * Where the volumes are that were made for claims: that of `startControllers`. Such a volume is looked for here by the name of its directory, wherever
   * it says that it is. Default: where it says.
   */
  readonly volumesFolder?: string | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Its name in the cluster. Default: that of the machine, in lower case. */
  readonly name?: string;
  /** Where Pods reach the API server: `KUBERNETES_SERVICE_HOST` and `_PORT`. */
  readonly server?: ApiAddress;
  /** Told of the node's part in logs, exec, attach and port-forward. */
  readonly agents?: ApiServer['nodes'];
  /** Images besides the built-in ones, by repository: `capstan/agent1`. */
  readonly images?: ImageCatalogue;
  /** Seconds that processes have when the node is stopped. Default: 5. */
  readonly stopGraceSeconds?: number;
  /** Instead of this machine: for tests. */
  readonly machine?: {
    readonly runtime: ContainerRuntime;
    readonly runAction: RunAction;
    readonly privateRoots: Promise<boolean>;
  };
}

const DEFAULT_STOP_GRACE = 5;
const HOST_IP = '127.0.0.1';

export async function startProcessNode(options: ProcessNodeOptions): Promise<RunningNode> {
  const { transport, folder, clock = systemClock, random = systemRandom } = options;
  const manager = createManager({
    transport,
    clock,
    random,
    userAgent: 'capstan-node',
    ...(options.log && { log: options.log }),
  });
  const name = options.name ?? nodeNameOf(hostname());
  const identity = nodeIdentity(folder, random);
  const description = thisMachine(name, { machineID: identity, bootID: bootId() });
  const machine = options.machine ?? (await thisMachineRuntime(folder, identity, manager));
  const node = new ProcessNode({ ...options, manager, name, identity, machine, allocatable: description.capacity });
  const unregister = options.agents?.register(name, node.agent);
  const stopping = new AbortController();
  await registerNode(manager.client, clock, description);
  void keepLease(manager.client, clock, name, stopping.signal);
  await manager.start();
  return {
    name,
    async stop() {
      stopping.abort();
      unregister?.();
      await node.halt((options.stopGraceSeconds ?? DEFAULT_STOP_GRACE) * 1000);
      await writeNodeStatus(manager.client, clock, description, 'False').catch(() => {});
      await manager.stop();
      if ('stop' in machine) await (machine as Machine).stop();
    },
  };
}

interface Machine {
  readonly runtime: ContainerRuntime;
  readonly runAction: RunAction;
  readonly privateRoots: Promise<boolean>;
  stop(): Promise<void>;
}

/** Ends what an earlier Capstan left, before anything is started: no Pod runs twice. */
async function thisMachineRuntime(
  folder: string,
  nodeId: string,
  { clock, random, log }: Pick<Manager, 'clock' | 'random' | 'log'>,
): Promise<Machine> {
  const runId = Buffer.from(random.bytes(16)).toString('hex');
  const files = new RunningFiles(join(folder, 'running'));
  const ended = await endLeftBehind(files, clock);
  if (ended > 0) log.warn({ processes: ended }, 'ended processes of Pods that an earlier Capstan had left running');
  const reaper = startReaper(files.folder, runId);
  const rootMode: Promise<RootMode> = detectRootMode(folder);
  const runtime = createProcessRuntime({ clock, nodeId, runId, files, rootMode });
  return {
    runtime,
    runAction,
    privateRoots: rootMode.then(mode => mode !== 'none'),
    async stop() {
      // Its trial has files in the folder, and nothing may be left that still writes there.
      await rootMode;
      reaper.stop();
    },
  };
}

interface NodeParts extends ProcessNodeOptions {
  readonly manager: Manager;
  readonly name: string;
  readonly identity: string;
  readonly machine: NonNullable<ProcessNodeOptions['machine']>;
  readonly allocatable: Surroundings['allocatable'];
}

class ProcessNode {
  readonly agent;
  readonly #manager: Manager;
  readonly #folder: string;
  readonly #context: PodContext;
  readonly #addresses: Addresses;
  readonly #tokens: ServiceAccountTokens;
  /** By uid: a Pod and the next one of its name may be here at the same time. */
  readonly #workers = new Map<string, PodWorker>();
  readonly #logs = new Map<string, PodLogs>();
  #halted = false;

  constructor(parts: NodeParts) {
    const { manager, folder, identity, machine } = parts;
    this.#manager = manager;
    this.#folder = folder;
    this.#addresses = new Addresses(loopbackBlock, Number.parseInt(identity.slice(0, 6), 16));
    this.#tokens = new ServiceAccountTokens(manager.client, manager.clock);
    this.#context = this.#contextOf(parts);
    this.agent = createNodeAgent({
      worker: uid => this.#workers.get(uid),
      logs: ({ pod }) => this.#context.logs(pod),
      runtime: machine.runtime,
    });
    this.#declare(parts.name);
  }

  /** Ends all processes; the Pods stay as they are. */
  async halt(grace: number): Promise<void> {
    this.#halted = true;
    await Promise.all(Array.from(this.#workers.values(), worker => worker.halt(grace)));
  }

  #declare(nodeName: string): void {
    const { cache } = this.#manager;
    cache.declare(pods, { fields: `spec.nodeName=${nodeName}` });
    cache.declare(services);
    cache.declare(persistentVolumes);
    // Pods live longer than any reconcile: what changes is handed to the worker of the Pod, which has its own time.
    this.#manager.task({ name: 'node/pods', run: signal => this.#watch(signal) });
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { cache } = this.#manager;
    const wake = (sort: keyof References) => (change: CacheChange) => this.#wakeReferring(sort, change.object.metadata);
    await this.#forgetOthers(
      new Set(
        cache
          .of(pods)
          .now.list()
          .map(({ metadata }) => metadata.uid ?? ''),
      ),
    );
    const stops = [
      cache.of(pods).subscribe(({ type, object: { metadata }, object }) => {
        this.#observe(type === 'deleted' ? undefined : object, metadata.namespace ?? '', metadata.name);
      }),
      cache.of(configMaps).subscribe(wake('configMaps')),
      cache.of(secrets).subscribe(wake('secrets')),
      cache.of(persistentVolumeClaims).subscribe(wake('claims')),
    ];
    await aborted(signal);
    for (const stop of stops) stop();
  }

  /** Folders of Pods that went while the node was not there. */
  async #forgetOthers(present: ReadonlySet<string>): Promise<void> {
    const folders = await readdir(join(this.#folder, 'pods')).catch(() => []);
    await Promise.all(
      folders.filter(uid => !present.has(uid)).map(uid => removeTree(join(this.#folder, 'pods', uid)).catch(() => {})),
    );
  }

  #observe(pod: Pod | undefined, namespace: string, name: string): void {
    if (this.#halted) return;
    const uid = pod?.metadata.uid ?? '';
    for (const worker of this.#workers.values()) {
      const { metadata } = worker.pod;
      const isOther = metadata.namespace === namespace && metadata.name === name && worker.uid !== uid;
      if (isOther) void worker.remove();
    }
    if (pod === undefined) return;
    const existing = this.#workers.get(uid);
    if (existing !== undefined) {
      existing.update(pod);
      return;
    }
    const address = pod.spec.hostNetwork ? HOST_IP : this.#addresses.take(uid, pod.status?.podIP);
    const worker = new PodWorker(pod, address, this.#context);
    this.#workers.set(uid, worker);
    worker.look();
  }

  #wakeReferring(sort: keyof References, { namespace, name }: ObjectReference): void {
    for (const worker of this.#workers.values()) {
      const { metadata, spec } = worker.pod;
      if (metadata.namespace === namespace && referencesOf(spec)[sort].has(name)) worker.update(worker.pod);
    }
  }

  #fingerprint({ metadata, spec }: Pod): string {
    const { cache } = this.#manager;
    const { namespace, labels, annotations } = metadata;
    const { configMaps: maps, secrets: hidden, claims } = referencesOf(spec);
    const versions = [
      ...Array.from(maps, name => cache.of(configMaps).now.get({ namespace, name })),
      ...Array.from(hidden, name => cache.of(secrets).now.get({ namespace, name })),
      ...Array.from(claims, name => cache.of(persistentVolumeClaims).now.get({ namespace, name })),
    ].map(object => object?.metadata.resourceVersion ?? null);
    return JSON.stringify([versions, labels, annotations]);
  }

  #contextOf({ manager, machine, name, allocatable, server, images, volumesFolder }: NodeParts): PodContext {
    const { cache, client, clock, random, log } = manager;
    for (const kind of [configMaps, secrets, persistentVolumeClaims]) cache.declare(kind as typeof configMaps);
    const folderOf = ({ metadata }: Pod): string => join(this.#folder, 'pods', metadata.uid ?? '');
    const sources = (namespace: string) => ({
      configMap: (object: string) => cache.of(configMaps).now.get({ namespace, name: object }),
      secret: (object: string) => cache.of(secrets).now.get({ namespace, name: object }),
    });
    return {
      clock,
      random,
      client,
      log,
      recorder: manager.recorder('kubelet', { host: name }),
      runtime: machine.runtime,
      runAction: machine.runAction,
      privateRoots: machine.privateRoots,
      catalogue: { ...builtinImages, ...images },
      hostIP: HOST_IP,
      allocatable,
      server,
      sources,
      fingerprint: pod => this.#fingerprint(pod),
      services: namespace => cache.of(services).now.list({ namespace }),
      folder: folderOf,
      volumes: (pod, surroundings) => {
        const { namespace = '' } = pod.metadata;
        return prepareVolumes(
          { pod, sources: sources(namespace), surroundings },
          {
            folder: join(folderOf(pod), 'volumes'),
            clock,
            tokens: this.#tokens,
            claim: claim => cache.of(persistentVolumeClaims).now.get({ namespace, name: claim }),
            volume: volume => cache.of(persistentVolumes).now.get({ name: volume }),
            volumesFolder,
          },
        );
      },
      logs: pod => this.#logsOf(pod, folderOf(pod)),
      release: async pod => {
        const uid = pod.metadata.uid ?? '';
        this.#workers.delete(uid);
        this.#logs.delete(uid);
        this.#tokens.forget(uid);
        this.#addresses.release(uid);
        await removeTree(folderOf(pod)).catch(() => {});
      },
    };
  }

  #logsOf({ metadata: { uid = '' } }: Pod, folder: string): PodLogs {
    const logs = this.#logs.get(uid) ?? new PodLogs(join(folder, 'logs'), this.#manager.clock);
    this.#logs.set(uid, logs);
    return logs;
  }
}

/** Machines may have names that objects must not have. */
function nodeNameOf(machine: string): string {
  const name = machine.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return name.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'capstan';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
