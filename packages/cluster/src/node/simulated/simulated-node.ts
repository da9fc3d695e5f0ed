/**
 * Nodes without processes: Pods become ready after a while and end when they are told to. For trying what happens with ten thousand of
 * them, and for machines that cannot run the process node.
 */
import {
  createManager,
  type Duration,
  done,
  type Log,
  type Manager,
  milliseconds,
  type Result,
  requeueAfter,
} from '@capstan/controller';
import {
  type Clock,
  isConflict,
  isNotFound,
  type Pod,
  pods,
  type Random,
  systemClock,
  systemRandom,
  type Transport,
} from '@capstan/kube';
import { Addresses, simulatedBlock } from '../addresses.ts';
import { keepLease, type NodeDescription, registerNode, writeNodeStatus } from '../node-object.ts';
import { FIELD_OWNER } from '../pod-worker.ts';
import type { RunningNode } from '../running-node.ts';
import { simulatedStatus } from './simulated-status.ts';

export interface SimulatedNodeOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Their names in the cluster. Default: one, `simulated`. */
  readonly names?: readonly string[];
  /** How long a Pod takes to become ready. Default: 1 s. */
  readonly readyAfter?: Duration;
  /** How long a Pod that is meant to end (`restartPolicy` other than Always) runs before it succeeds. Default: 1 s. */
  readonly endsAfter?: Duration;
  /** What each of them has. Default: more than anyone asks for. */
  readonly capacity?: Readonly<Record<string, string>>;
}

const PLENTY = { cpu: '10000', memory: '100Ti', 'ephemeral-storage': '100Ti', pods: '100000' };
/** Writes that are under way at a time: the API server commits them together. */
const WORKERS = 64;

export async function startSimulatedNode(options: SimulatedNodeOptions): Promise<RunningNode> {
  const { transport, clock = systemClock, random = systemRandom, names = ['simulated'], log } = options;
  const manager = createManager({ transport, clock, random, userAgent: 'capstan-node', ...(log && { log }) });
  const descriptions = names.map(name => description(name, options.capacity ?? PLENTY));
  const stopping = new AbortController();
  addSimulation(manager, options, new Set(names));
  for (const node of descriptions) {
    await registerNode(manager.client, clock, node);
    void keepLease(manager.client, clock, node.name, stopping.signal);
  }
  await manager.start();
  return {
    name: names[0] ?? '',
    async stop() {
      stopping.abort();
      for (const node of descriptions) await writeNodeStatus(manager.client, clock, node, 'False').catch(() => {});
      await manager.stop();
    },
  };
}

function addSimulation(manager: Manager, options: SimulatedNodeOptions, names: ReadonlySet<string>): void {
  const { cache, clock } = manager;
  const readyAfter = milliseconds(options.readyAfter ?? '1s');
  const endsAfter = milliseconds(options.endsAfter ?? '1s');
  const addresses = new Addresses(simulatedBlock);
  /** When something is due, by uid: a stage begins when the Pod is first seen in the one before. */
  const due = new Map<string, number>();

  const [only] = names;
  cache.declare(pods, names.size === 1 ? { fields: `spec.nodeName=${only}` } : {});
  cache.of(pods).subscribe(({ type, object: { metadata, status } }) => {
    if (type !== 'deleted') return status?.podIP && addresses.take(metadata.uid ?? '', status.podIP);
    addresses.release(metadata.uid ?? '');
    return due.delete(metadata.uid ?? '');
  });

  /** What is left of the time that a stage takes; counts from the first time it is asked. */
  const remaining = (uid: string, stage: string, takes: number, now: number): number => {
    const key = `${uid} ${stage}`;
    const at = due.get(key) ?? now + takes;
    due.set(key, at);
    if (at <= now) due.delete(key);
    return Math.max(0, at - now);
  };

  manager.controller({
    name: 'node/simulated',
    for: { kind: pods, when: ({ object }) => names.has(object.spec.nodeName ?? '') },
    workers: WORKERS,
    async reconcile({ namespace, name }, { client }): Promise<Result> {
      const pod = await cache.get(pods, { namespace, name }, { ownWrites: 'ignored' });
      if (pod === undefined) return done();
      const { uid = '', deletionTimestamp } = pod.metadata;
      const now = clock.now();
      if (deletionTimestamp !== undefined) {
        await client.delete(pods, { namespace, name }, { grace: 0, preconditions: { uid } }).catch(unlessGone);
        return done();
      }
      const next = nextStage(pod);
      if (next === undefined) return done();
      const wait = remaining(uid, next, next === 'running' ? readyAfter : endsAfter, now);
      if (wait > 0) return requeueAfter(wait);
      const status = simulatedStatus(pod, next, now, addresses.take(uid, pod.status?.podIP));
      const body = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid }, status };
      const write = client
        .subresource<Pod>(pods, 'status')
        .apply({ namespace, name }, body, { owner: FIELD_OWNER, force: true });
      const written = await write.catch(unlessGone);
      const after = written && nextStage(written);
      return after === undefined ? done() : requeueAfter(remaining(uid, after, endsAfter, now));
    },
  });
}

/** What a Pod has yet to become; undefined when it stays as it is. */
function nextStage({ spec, status }: Pod): 'running' | 'ended' | undefined {
  if (status?.phase === undefined || status.phase === 'Pending') return 'running';
  return status.phase === 'Running' && spec.restartPolicy !== undefined && spec.restartPolicy !== 'Always'
    ? 'ended'
    : undefined;
}

/** Someone else was faster: the object is gone, or another one has its name. */
function unlessGone(error: unknown): undefined {
  if (isNotFound(error) || isConflict(error)) return undefined;
  throw error;
}

function description(name: string, capacity: Readonly<Record<string, string>>): NodeDescription {
  return {
    name,
    address: '127.0.0.1',
    capacity,
    labels: { 'node.capstan.io/simulated': 'true' },
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: 'none',
      osImage: 'simulated',
      containerRuntimeVersion: 'capstan-simulated://0.1.0',
      kubeletVersion: 'v1.37.0+capstan',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}
