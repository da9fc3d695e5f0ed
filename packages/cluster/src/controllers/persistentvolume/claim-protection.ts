/** A claim that is deleted stays until no Pod uses it; and every claim says whether one does. */
import {
  type CacheChange,
  done,
  type Manager,
  type ReconcileContext,
  type Result,
  setCondition,
} from '@capstan/controller';
import { type Condition, type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isOver } from '../scheduler/cluster-state.ts';
import { claimsOf } from '../scheduler/pod-info.ts';

const FINALIZER = 'kubernetes.io/pvc-protection';
const INDEX = 'claims';

const claimKeys = (pod: Pod): string[] => claimsOf(pod).map(name => `${pod.metadata.namespace}/${name}`);

/** A Pod without a node has not begun. One that has ended may be looked into still: it holds its claims until it is deleted. */
const holds = ({ spec }: Pod): boolean => spec.nodeName !== undefined;

export const claimProtectionController: BuiltinController = {
  name: 'persistentvolumeclaim-protection',
  setup(manager: Manager): void {
    const { cache } = manager;
    cache.declare(pods, { indexes: { [INDEX]: claimKeys } });
    manager.controller({
      name: 'persistentvolumeclaim-protection',
      for: persistentVolumeClaims,
      watches: [
        {
          kind: pods,
          when: changesUse,
          map: pod => claimsOf(pod).map(name => ({ namespace: pod.metadata.namespace, name })),
        },
      ],
      async reconcile({ namespace, name }, context): Promise<Result> {
        const claim = await cache.get(persistentVolumeClaims, { namespace, name });
        if (claim === undefined) return done();
        const users = await cache.by(pods, INDEX, `${namespace}/${name}`);
        if (claim.metadata.deletionTimestamp !== undefined) await letGo(claim, users, context);
        else if (claim.status?.phase === 'Bound') await tellUse(claim, users, context);
        return done();
      },
    });
  },
};

function changesUse(change: CacheChange<Pod>): boolean {
  if ((change.object.spec.volumes ?? []).length === 0) return false;
  return change.type !== 'updated' || isOver(change.previous) !== isOver(change.object);
}

async function letGo(claim: PersistentVolumeClaim, users: readonly Pod[], { client }: ReconcileContext): Promise<void> {
  const { namespace, name, finalizers = [] } = claim.metadata;
  if (!finalizers.includes(FINALIZER) || users.some(holds)) return;
  // The cache may be behind, and data is at stake.
  const { items } = await client.list(pods, { namespace });
  if (items.some(pod => holds(pod) && claimKeys(pod).includes(`${namespace}/${name}`))) return;
  const rest = finalizers.filter(finalizer => finalizer !== FINALIZER);
  await client.update(persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, finalizers: rest } });
}

/** The condition `Unused`, for those who look for volumes that could go. */
async function tellUse(
  claim: PersistentVolumeClaim,
  users: readonly Pod[],
  { client, now }: ReconcileContext,
): Promise<void> {
  const before = claim.status?.conditions as readonly Condition[] | undefined;
  const conditions = setCondition(before, users.every(isOver) ? UNUSED : USED, now);
  if (conditions === before) return;
  await client.updateStatus(persistentVolumeClaims, { ...claim, status: { ...claim.status, conditions } });
}

const UNUSED = {
  type: 'Unused',
  status: 'True',
  reason: 'NoPodsUsingPVC',
  message: 'No pods are currently referencing this PVC',
} as const;

const USED = {
  type: 'Unused',
  status: 'False',
  reason: 'PodUsingPVC',
  message: 'A pod is currently referencing this PVC',
} as const;
