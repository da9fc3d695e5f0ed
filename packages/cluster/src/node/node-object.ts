/** The Node object and its Lease: that this node is there, what it has, and that it lives. */
import { arch, cpus, hostname, release, totalmem, type } from 'node:os';
import {
  type Client,
  type Clock,
  isAlreadyExists,
  isNotFound,
  leases,
  microTimestamp,
  type Node,
  type NodeCondition,
  nodes,
  sleep,
  timestamp,
} from '@capstan/kube';

export const LEASE_NAMESPACE = 'kube-node-lease';
/** A quarter of the time after which others take a node for dead. */
const RENEW_EVERY = 10_000;
const LEASE_SECONDS = 40;
const OWNER = 'capstan-node';
/** As many Pods as a kubelet has by default. */
const PODS = '110';

export interface NodeDescription {
  readonly name: string;
  readonly address: string;
  readonly capacity: Readonly<Record<string, string>>;
  readonly nodeInfo: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** This machine, as a node. */
export function thisMachine(
  name: string,
  ids: { readonly machineID: string; readonly bootID: string },
): NodeDescription {
  const architecture = arch() === 'x64' ? 'amd64' : arch();
  return {
    name,
    address: '127.0.0.1',
    capacity: { cpu: String(cpus().length), memory: `${Math.floor(totalmem() / 1024)}Ki`, pods: PODS },
    nodeInfo: {
      ...ids,
      systemUUID: ids.machineID,
      kernelVersion: release(),
      osImage: `${type()} (${hostname()})`,
      containerRuntimeVersion: 'capstan-process://0.1.0',
      kubeletVersion: 'v1.37.0+capstan',
      kubeProxyVersion: '',
      operatingSystem: type().toLowerCase(),
      architecture,
    },
  };
}

/** Creates the Node, or takes up the one that is there, and says that it is ready. */
export async function registerNode(client: Client, clock: Clock, description: NodeDescription): Promise<Node> {
  const { name, labels } = description;
  const node = {
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': String(description.nodeInfo['operatingSystem']),
        'kubernetes.io/arch': String(description.nodeInfo['architecture']),
        ...labels,
      },
    },
  };
  await client.create(nodes, node).catch(error => {
    if (!isAlreadyExists(error)) throw error;
  });
  return writeNodeStatus(client, clock, description, 'True');
}

export async function writeNodeStatus(
  client: Client,
  clock: Clock,
  { name, address, capacity, nodeInfo }: NodeDescription,
  ready: 'True' | 'False',
): Promise<Node> {
  const before = await client.get(nodes, { name });
  const status = {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    conditions: conditions(before.status?.conditions ?? [], clock.now(), ready),
    nodeInfo,
  };
  return client.applyStatus(nodes, { name, status }, { owner: OWNER, force: true });
}

function conditions(before: readonly NodeCondition[], now: number, ready: 'True' | 'False'): NodeCondition[] {
  const said: Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>[] = [
    {
      type: 'MemoryPressure',
      status: 'False',
      reason: 'KubeletHasSufficientMemory',
      message: 'memory is not watched by this node',
    },
    {
      type: 'DiskPressure',
      status: 'False',
      reason: 'KubeletHasNoDiskPressure',
      message: 'the disk is not watched by this node',
    },
    {
      type: 'PIDPressure',
      status: 'False',
      reason: 'KubeletHasSufficientPID',
      message: 'processes are not counted by this node',
    },
    ready === 'True'
      ? { type: 'Ready', status: ready, reason: 'KubeletReady', message: 'the node runs Pods' }
      : {
          type: 'Ready',
          status: ready,
          reason: 'NodeStopped',
          message: 'Capstan was stopped; its Pods run again when it starts',
        },
  ];
  return said.map(condition => {
    const old = before.find(({ type }) => type === condition.type);
    const unchanged = old?.status === condition.status && old.lastTransitionTime;
    return {
      ...condition,
      lastHeartbeatTime: timestamp(now),
      lastTransitionTime: unchanged ? old.lastTransitionTime! : timestamp(now),
    };
  });
}

/** Renews the Lease until the signal is aborted. A failure is left to the next time: others wait four times as long. */
export async function keepLease(client: Client, clock: Clock, name: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await renewLease(client, clock, name).catch(() => {});
    await sleep(clock, RENEW_EVERY, signal).catch(() => {});
  }
}

async function renewLease(client: Client, clock: Clock, name: string): Promise<void> {
  const metadata = { namespace: LEASE_NAMESPACE, name };
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTimestamp(clock.now()) };
  const patched = client.patch(leases, metadata, { merge: { spec } });
  await patched.catch(async error => {
    if (!isNotFound(error)) throw error;
    const { uid } = (await client.get(nodes, { name })).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid: uid ?? '' }];
    await client.create(leases, { metadata: { ...metadata, ownerReferences }, spec });
  });
}
