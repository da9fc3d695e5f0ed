import type { ContainerStatus, Pod } from '@capstan/kube';
import { ageText } from './age.ts';
import { conditionThat, type Finding, finding } from './finding.ts';

/** A container that ended and runs again is worth a word for this long. */
const RECENT = 10 * 60_000;
/** A Pod ends some time after its deletion time, which has its grace in it already. */
const OVERDUE = 30_000;

export function podFindings(pods: readonly Pod[], now: number): Finding[] {
  return pods.flatMap(pod => problemOf(pod, now) ?? []);
}

/** The first thing that explains why the Pod is not well; undefined when it is. */
function problemOf(pod: Pod, now: number): Finding | undefined {
  const { metadata, status = {} } = pod;
  if (metadata.deletionTimestamp !== undefined) return ending(pod, now);
  if (status.phase === 'Succeeded') return undefined;
  if (status.phase === 'Failed') return failed(pod);
  const unscheduled = conditionThat(status.conditions, 'PodScheduled', 'False');
  if (unscheduled) return finding('Pod', pod, unscheduled.reason ?? 'Unschedulable', unscheduled.message);
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const waiting = containers.find(({ state }) => state?.waiting && state.waiting.reason !== 'PodInitializing');
  if (waiting) return isWaiting(pod, waiting, now);
  const restarted = containers.find(container => endedRecently(container, now));
  if (restarted) return finding('Pod', pod, 'Restarted', restartText(restarted, now));
  if (conditionThat(status.conditions, 'Ready', 'True')) return undefined;
  const notReady = status.conditions?.find(({ type }) => type === 'Ready');
  return finding('Pod', pod, notReady?.reason ?? status.phase ?? 'Pending', notReady?.message ?? 'nothing runs it yet');
}

function ending(pod: Pod, now: number): Finding | undefined {
  const overdue = now - Date.parse(pod.metadata.deletionTimestamp ?? '');
  if (overdue < OVERDUE) return undefined;
  const { finalizers = [] } = pod.metadata;
  const held = finalizers.length > 0 ? `; finalizers: ${finalizers.join(', ')}` : '';
  return finding('Pod', pod, 'Terminating', `should have been gone ${ageText(overdue)} ago${held}`);
}

/** What a Job's Pods do is the Job's to tell. */
function failed(pod: Pod): Finding | undefined {
  if (pod.metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller)) return undefined;
  const ended = pod.status?.containerStatuses?.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const message = ended ? `${ended.name} ended with exit code ${ended.state?.terminated?.exitCode}` : '';
  return finding('Pod', pod, pod.status?.reason ?? 'Failed', pod.status?.message ?? message);
}

function isWaiting(pod: Pod, container: ContainerStatus, now: number): Finding {
  const { reason = 'Waiting', message = '' } = container.state?.waiting ?? {};
  const restarts = container.restartCount > 0 ? `${restartText(container, now)}; ` : '';
  return finding('Pod', pod, reason, `${restarts}${message || `container ${container.name} is not running yet`}`);
}

function endedRecently({ restartCount, lastState }: ContainerStatus, now: number): boolean {
  const finished = Date.parse(lastState?.terminated?.finishedAt ?? '');
  return restartCount > 0 && now - finished < RECENT;
}

function restartText({ name, restartCount, lastState }: ContainerStatus, now: number): string {
  const { exitCode, reason, finishedAt } = lastState?.terminated ?? {};
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  if (exitCode === undefined) return `${name} restarted ${times}`;
  const age = finishedAt === undefined ? '' : `, ${ageText(now - Date.parse(finishedAt))} ago`;
  return `${name} restarted ${times}, last after exit code ${exitCode}${reason ? ` (${reason})` : ''}${age}`;
}
