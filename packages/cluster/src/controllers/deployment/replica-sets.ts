/** The ReplicaSets of a Deployment: which is the new one, which are old, how many Pods they ask for. */
import { type Deployment, deepEqual, type PodTemplate, type ReplicaSet } from '@capstan/kube';

export const TEMPLATE_HASH_LABEL = 'pod-template-hash';

export interface Rollout {
  /** The one with the Deployment's template. */
  readonly current: ReplicaSet | undefined;
  /** All others, the oldest first. */
  readonly old: readonly ReplicaSet[];
}

export function rolloutOf({ spec }: Deployment, replicaSets: readonly ReplicaSet[]): Rollout {
  const sorted = replicaSets.toSorted(byCreation);
  // There may be two with the same template, from times when hashes were computed otherwise; the oldest is as good as any.
  const current = sorted.find(each => equalTemplates(each.spec.template, spec.template));
  return { current, old: sorted.filter(each => each !== current) };
}

export function allOf({ current, old }: Rollout): readonly ReplicaSet[] {
  return current === undefined ? old : [...old, current];
}

/** How many Pods a ReplicaSet asks for. */
export function sizeOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1;
}

export function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, each) => sum + sizeOf(each), 0);
}

export function activeOnes(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter(each => sizeOf(each) > 0);
}

export function byCreation(left: ReplicaSet, right: ReplicaSet): number {
  return createdAt(left).localeCompare(createdAt(right)) || left.metadata.name.localeCompare(right.metadata.name);
}

const createdAt = ({ metadata }: ReplicaSet): string => metadata.creationTimestamp ?? '';

/** Equal but for the hash, which only ReplicaSets carry. */
export function equalTemplates(left: PodTemplate | undefined, right: PodTemplate | undefined): boolean {
  return deepEqual(withoutHash(left), withoutHash(right));
}

function withoutHash(template: PodTemplate | undefined): object | undefined {
  if (template === undefined) return undefined;
  const { [TEMPLATE_HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
