/** What a failed Pod means for its Job, by the Job's `podFailurePolicy`: the first rule that matches decides. */
import type { ContainerStatus, Job, Pod, PodFailurePolicyRule } from '@capstan/kube';

export type Consequence =
  | { readonly action: 'Count' | 'FailIndex' | 'Ignore' }
  | { readonly action: 'FailJob'; readonly message: string };

export function consequenceOf(pod: Pod, { spec }: Job): Consequence {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = matching(rule, pod);
    if (why === undefined) continue;
    if (rule.action !== 'FailJob') return { action: rule.action };
    return { action: 'FailJob', message: `${why} matching FailJob rule at index ${index}` };
  }
  return { action: 'Count' };
}

/** What about the Pod matches the rule, as a sentence begins. */
function matching({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const where = `${pod.metadata.namespace}/${pod.metadata.name}`;
  if (onExitCodes !== undefined) {
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    const found = [...containerStatuses, ...initContainerStatuses].find(status => exitMatches(status, onExitCodes));
    if (found === undefined) return undefined;
    return `Container ${found.name} for pod ${where} failed with exit code ${found.state!.terminated!.exitCode}`;
  }
  const found = pod.status?.conditions?.find(condition =>
    onPodConditions?.some(({ type, status = 'True' }) => condition.type === type && condition.status === status),
  );
  return found === undefined ? undefined : `Pod ${where} has condition ${found.type}`;
}

function exitMatches(
  { name, state }: ContainerStatus,
  { containerName, operator, values }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
): boolean {
  const code = state?.terminated?.exitCode;
  if (code === undefined || code === 0) return false;
  if (containerName !== undefined && containerName !== name) return false;
  return values.includes(code) === (operator === 'In');
}
