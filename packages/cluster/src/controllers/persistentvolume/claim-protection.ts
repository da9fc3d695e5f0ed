/** A claim that is deleted stays until no Pod uses it. */
import { done, type Manager, type Result } from '@capstan/controller';
import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { isOver } from '../scheduler/cluster-state.ts';
import { claimsOf } from '../scheduler/pod-info.ts';

const FINALIZER = 'kubernetes.io/pvc-protection';
const INDEX = 'claims';

/** A Pod without a node has not begun, one that is over has ended: neither has the volume. */
const uses = (pod: Pod): boolean => pod.spec.nodeName !== undefined && !isOver(pod);
const usedClaims = (pod: Pod): string[] =>
  uses(pod) ? claimsOf(pod).map(name => `${pod.metadata.namespace}/${name}`) : [];

const isDeletionCandidate = ({ metadata }: PersistentVolumeClaim): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FINALIZER) === true;

export const claimProtectionController: BuiltinController = {
  name: 'persistentvolumeclaim-protection',
  setup(manager: Manager): void {
    const { cache } = manager;
    cache.declare(pods, { indexes: { [INDEX]: usedClaims } });
    manager.controller({
      name: 'persistentvolumeclaim-protection',
      for: { kind: persistentVolumeClaims, when: ({ object }) => isDeletionCandidate(object) },
      watches: [
        {
          kind: pods,
          when: ({ type, object }) => (type === 'deleted' || isOver(object)) && (object.spec.volumes ?? []).length > 0,
          map: pod => claimsOf(pod).map(name => ({ namespace: pod.metadata.namespace, name })),
        },
      ],
      async reconcile({ namespace, name }, { client }): Promise<Result> {
        const claim = await cache.get(persistentVolumeClaims, { namespace, name });
        if (claim === undefined || !isDeletionCandidate(claim)) return done();
        const key = `${namespace}/${name}`;
        if ((await cache.by(pods, INDEX, key)).length > 0) return done();
        // The cache may be behind, and data is at stake.
        const { items } = await client.list(pods, { namespace });
        if (items.some(pod => usedClaims(pod).includes(key))) return done();
        const { finalizers = [] } = claim.metadata;
        const rest = finalizers.filter(finalizer => finalizer !== FINALIZER);
        await client.update(persistentVolumeClaims, { ...claim, metadata: { ...claim.metadata, finalizers: rest } });
        return done();
      },
    });
  },
};
