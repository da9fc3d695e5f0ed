/** The life of nodes: those that go silent are marked, and nothing is left waiting on them. */
import {
  done,
  type Manager,
  type ReconcileContext,
  type Request,
  type Result,
  requeueAfter,
} from '@capstan/controller';
import { isNotFound, leases, type Node, nodes, type Pod, pods, timestamp } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { declarePodsByNode, podsOnNode } from '../pods-by-node.ts';
import { readyCondition, silentConditions, taintsOf } from './taints.ts';

const LEASE_NAMESPACE = 'kube-node-lease';
/** A node renews its Lease every 10 s: five in a row have to be missing. */
const GRACE = 50_000;

/** The last sign of life of each node, on our own clock: clocks of others are not to be trusted. */
type Signs = Map<string, Sign>;

interface Sign {
  readonly uid: string | undefined;
  readonly renewTime: string | undefined;
  readonly heartbeat: string | undefined;
  readonly at: number;
}

export const nodeLifecycleController: BuiltinController = {
  name: 'node-lifecycle',
  setup(manager: Manager): void {
    const { cache, clock } = manager;
    const signs: Signs = new Map();
    const recorder = manager.recorder('node-controller');
    declarePodsByNode(cache);
    cache.declare(leases, { namespaces: [LEASE_NAMESPACE] });
    const allNodes = (): { name: string }[] =>
      cache
        .of(nodes)
        .now.list()
        .map(({ metadata }) => ({ name: metadata.name }));
    manager.controller({
      name: 'node-lifecycle',
      for: nodes,
      watches: [
        { kind: leases, map: ({ metadata }) => [{ name: metadata.name }] },
        {
          kind: nodes,
          // Whether anyone is evicted depends on whether any node is ready.
          when: change => change.type !== 'updated' || isReady(change.previous) !== isReady(change.object),
          map: allNodes,
        },
      ],
      async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
        const node = await cache.get(nodes, { name: request.name });
        if (node === undefined) {
          signs.delete(request.name);
          return done();
        }
        if (node.metadata.deletionTimestamp !== undefined) return done();
        const lease = await cache.get(leases, { namespace: LEASE_NAMESPACE, name: request.name });
        const left = GRACE - silence(node, lease?.spec?.renewTime, signs, clock.monotonic());
        let current = node;
        if (left <= 0 && readyCondition(node)?.status !== 'Unknown') {
          current = await markSilent(node, context);
          const message = `Node ${request.name} status is now: NodeNotReady`;
          recorder.record(node, { type: 'Normal', reason: 'NodeNotReady', message });
        }
        const others = await cache.list(nodes);
        await setTaints(current, isReady(current) || others.some(isReady), context);
        if (readyCondition(current)?.status === 'Unknown') await markPodsNotReady(current, context);
        return left > 0 ? requeueAfter(left) : done();
      },
    });
  },
};

const isReady = (node: Node): boolean => readyCondition(node)?.status === 'True';

/** Milliseconds since the node last showed that it lives: by its Lease, or by its status. */
function silence(node: Node, renewTime: string | undefined, signs: Signs, now: number): number {
  const { uid, name } = node.metadata;
  const last = signs.get(name);
  const ready = readyCondition(node);
  // That nobody knows was written by us, and is no sign of life.
  const heartbeat = ready?.status === 'Unknown' ? last?.heartbeat : `${ready?.status} ${ready?.lastHeartbeatTime}`;
  const isNews = last === undefined || last.uid !== uid || last.renewTime !== renewTime || last.heartbeat !== heartbeat;
  if (!isNews) return now - last.at;
  signs.set(name, { uid, renewTime, heartbeat, at: now });
  return 0;
}

function markSilent(node: Node, { client, now }: ReconcileContext): Promise<Node> {
  return client.updateStatus(nodes, { ...node, status: { ...node.status, conditions: silentConditions(node, now) } });
}

async function setTaints(node: Node, evicts: boolean, { client, now }: ReconcileContext): Promise<void> {
  const taints = taintsOf(node, evicts, now);
  if (taints !== undefined) await client.update(nodes, { ...node, spec: { ...node.spec, taints } });
}

/** Requests go elsewhere at once; whether the Pods go too is for their tolerations to say. */
async function markPodsNotReady(node: Node, { cache, client, now }: ReconcileContext): Promise<void> {
  for (const pod of podsOnNode(cache, node.metadata.name)) {
    const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') continue;
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: timestamp(now) };
    await patchStatus(pod, { conditions: [condition] }, client);
  }
}

export async function patchStatus(pod: Pod, status: object, client: ReconcileContext['client']): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  const strategic = { metadata: { uid }, status };
  try {
    await client.patch(pods, { namespace, name }, { strategic }, { subresource: 'status' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
