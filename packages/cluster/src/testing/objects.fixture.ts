/** Objects that several tests need, as small as the API takes them. */
import { type Client, type Node, nodes, type Pod, type PodSpec, pods } from '@capstan/kube';

export interface RunningPod {
  readonly name: string;
  readonly ip?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ready?: boolean;
  readonly spec?: Partial<PodSpec>;
}

/** A Pod as a node would report it: with an address, ready or not. */
export async function runPod(client: Client, pod: RunningPod): Promise<Pod> {
  const { name, ip, namespace = 'default', labels = {}, ready = true, spec = {} } = pod;
  const created = await client.create(pods, {
    metadata: { namespace, name, labels },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  const status = ready ? 'True' : 'False';
  return client.updateStatus(pods, {
    ...created,
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status }],
      ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }] }),
    },
  });
}

export interface NewNode {
  readonly name: string;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A node that was seen ready: without the taint that new ones get. */
export async function addNode(client: Client, { name, allocatable, labels }: NewNode): Promise<Node> {
  const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
  const created = await client.create(nodes, { metadata });
  const room = { cpu: '4', memory: '8Gi', pods: '110', ...allocatable };
  const reported = await client.updateStatus(nodes, { ...created, status: { capacity: room, allocatable: room } });
  return client.update(nodes, { ...reported, spec: { taints: [] } });
}
