import type { Pod, StatefulSet } from '@capstan/kube';
import { isAvailable, isReady } from '../workload/pod-state.ts';
import { revisionOf, sizeOf } from './identity.ts';

export type StatefulSetStatus = NonNullable<StatefulSet['status']>;

export interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly collisions: number;
}

export function statusOf(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, now: number): StatefulSetStatus {
  const { minReadySeconds = 0 } = set.spec;
  const ready = pods.filter(pod => pod.status?.phase === 'Running' && isReady(pod));
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ofRevision = (name: string): number => staying.filter(pod => revisionOf(pod) === name).length;
  const updated = ofRevision(revisions.update);
  // An update is over when every Pod is of the new revision and ready; from then on that is the current one.
  const over = [updated, ready.length, pods.length].every(count => count === sizeOf(set));
  const current = over ? revisions.update : revisions.current;
  const { conditions } = set.status ?? {};
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    ...unlessZero('readyReplicas', ready.length),
    ...unlessZero('currentReplicas', ofRevision(current)),
    ...unlessZero('updatedReplicas', updated),
    availableReplicas: ready.filter(pod => isAvailable(pod, minReadySeconds, now)).length,
    currentRevision: current,
    updateRevision: revisions.update,
    collisionCount: revisions.collisions,
    ...(conditions !== undefined && { conditions }),
  };
}

function unlessZero(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}
