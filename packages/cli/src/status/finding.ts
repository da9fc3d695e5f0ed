import type { KubeObject, PodCondition } from '@capstan/kube';

/** Something that is not as it should be. */
export interface Finding {
  readonly kind: string;
  /** Missing where the kind has none. */
  readonly namespace?: string;
  readonly name: string;
  /** One word, as Kubernetes gives it: `ErrImagePull`, `ProgressDeadlineExceeded`. */
  readonly reason: string;
  /** A sentence for people; may be empty. */
  readonly message: string;
}

export function finding(kind: string, { metadata }: KubeObject, reason: string, message = ''): Finding {
  const { namespace, name } = metadata;
  return { kind, ...(namespace !== undefined && { namespace }), name, reason, message };
}

/** The condition of that type, if it has that status. */
export function conditionThat(
  conditions: readonly PodCondition[] | undefined,
  type: string,
  status: PodCondition['status'],
): PodCondition | undefined {
  return conditions?.find(condition => condition.type === type && condition.status === status);
}
