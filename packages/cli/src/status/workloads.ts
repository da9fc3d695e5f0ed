/** Deployments, StatefulSets and DaemonSets that do not have all that they should, and what they say about it. */
import type { DaemonSet, Deployment, KubeObject, PodCondition, StatefulSet } from '@capstan/kube';
import { conditionThat, type Finding, finding } from './finding.ts';

interface Replicas {
  readonly wanted: number;
  readonly updated: number;
  readonly available: number;
}

export function deploymentFindings(deployments: readonly Deployment[]): Finding[] {
  return deployments.flatMap(deployment => {
    const { spec, status } = deployment;
    const { updatedReplicas: updated = 0, availableReplicas: available = 0, conditions } = status ?? {};
    const replicas = { wanted: spec.replicas ?? 1, updated, available };
    const trouble =
      conditionThat(conditions, 'Progressing', 'False') ??
      conditionThat(conditions, 'ReplicaFailure', 'True') ??
      conditionThat(conditions, 'Available', 'False');
    // A Deployment that is paused is waiting for its user, whatever it has.
    if (spec.paused && replicas.available >= replicas.wanted) return [];
    return shortOf('Deployment', deployment, replicas, trouble);
  });
}

export function statefulSetFindings(sets: readonly StatefulSet[]): Finding[] {
  return sets.flatMap(set => {
    const { spec, status } = set;
    const { updatedReplicas = 0, availableReplicas = status?.readyReplicas ?? 0 } = status ?? {};
    const wanted = spec.replicas ?? 1;
    // What is below the partition, or waits to be deleted, stays as it is on purpose.
    const byHand = spec.updateStrategy?.type === 'OnDelete' || (spec.updateStrategy?.rollingUpdate?.partition ?? 0) > 0;
    const updated = byHand ? wanted : updatedReplicas;
    return shortOf('StatefulSet', set, { wanted, updated, available: availableReplicas });
  });
}

export function daemonSetFindings(sets: readonly DaemonSet[]): Finding[] {
  return sets.flatMap(set => {
    const {
      desiredNumberScheduled: wanted = 0,
      updatedNumberScheduled,
      numberAvailable: available = 0,
    } = set.status ?? {};
    const updated = set.spec.updateStrategy?.type === 'OnDelete' ? wanted : (updatedNumberScheduled ?? 0);
    return shortOf('DaemonSet', set, { wanted, updated, available });
  });
}

function shortOf(
  kind: string,
  object: KubeObject & { readonly status?: { readonly observedGeneration?: number } },
  { wanted, updated, available }: Replicas,
  trouble?: PodCondition,
): Finding[] {
  const { generation = 0 } = object.metadata;
  if (object.metadata.deletionTimestamp !== undefined) return [];
  if ((object.status?.observedGeneration ?? 0) < generation) {
    return [finding(kind, object, 'NotObserved', 'no controller has acted on its last change yet')];
  }
  const says = trouble?.message ? `: ${trouble.message}` : '';
  if (available < wanted) {
    return [finding(kind, object, trouble?.reason ?? 'Unavailable', `${available} of ${wanted} available${says}`)];
  }
  if (updated < wanted) {
    return [finding(kind, object, trouble?.reason ?? 'RollingOut', `${updated} of ${wanted} updated${says}`)];
  }
  return trouble ? [finding(kind, object, trouble.reason ?? trouble.type, trouble.message)] : [];
}
