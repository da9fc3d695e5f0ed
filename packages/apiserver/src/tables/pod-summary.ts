/** A Pod in three words: how many of its containers are ready, what it is doing, how often it was started again. */
import type { ContainerState, ContainerStatus, Pod, Sparse } from '@capstan/kube';

export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** The phase, or what is more telling: `Init:0/2`, `CrashLoopBackOff`, `Terminating`. */
  readonly status: string;
  readonly restarts: number;
  /** Of the last restart; absent where none is known. */
  readonly lastRestart: string | undefined;
}

type SparsePod = Sparse<Pod>;
type SparseContainerStatus = Sparse<ContainerStatus>;

/** What one round over containers found out. */
interface Progress {
  readonly ready: number;
  readonly restarts: Restarts;
  /** Replaces the reason known so far. */
  readonly reason?: string | undefined;
}

interface Restarts {
  readonly count: number;
  readonly last: string | undefined;
}

export function podSummary(pod: SparsePod): PodSummary {
  const initial = initProgress(pod);
  const stillInitializing = initial.blocked && !hasTrueCondition(pod, 'Initialized');
  const reason = initial.reason ?? basicReason(pod);
  const main = stillInitializing ? undefined : containerProgress(pod, reason, initial.sidecarRestarts);
  const restarts = main?.restarts ?? initial.restarts;
  const sidecars = (pod.spec?.initContainers ?? []).filter(container => container.restartPolicy === 'Always');
  return {
    ready: initial.ready + (main?.ready ?? 0),
    total: (pod.spec?.containers?.length ?? 0) + sidecars.length,
    status: deletionReason(pod) ?? main?.reason ?? reason,
    restarts: restarts.count,
    lastRestart: restarts.last,
  };
}

function basicReason({ status }: SparsePod): string {
  const isGated = status?.conditions?.some(
    condition => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status?.reason || (status?.phase ?? '');
}

function deletionReason({ metadata, status }: SparsePod): string | undefined {
  if (!metadata?.deletionTimestamp) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? undefined : 'Terminating';
}

interface InitProgress extends Progress {
  /** A container that has to end first has not. */
  readonly blocked: boolean;
  /** Those of containers that run beside the main ones: they count for as long as the Pod lives. */
  readonly sidecarRestarts: Restarts;
}

/** Init containers run one after the other: the first that is neither done nor a started sidecar says where the Pod is. */
function initProgress({ spec, status }: SparsePod): InitProgress {
  const isSidecar = (name: string | undefined): boolean =>
    spec?.initContainers?.find(container => container.name === name)?.restartPolicy === 'Always';
  let ready = 0;
  let restarts: Restarts = NO_RESTARTS;
  let sidecarRestarts: Restarts = NO_RESTARTS;
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const sidecar = isSidecar(container.name);
    restarts = withRestartsOf(container, restarts);
    if (sidecar) sidecarRestarts = withRestartsOf(container, sidecarRestarts);
    if (container.state?.terminated?.exitCode === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const reason = `Init:${initReason(container.state) ?? `${index}/${spec?.initContainers?.length ?? 0}`}`;
    return { ready, restarts, sidecarRestarts, reason, blocked: true };
  }
  return { ready, restarts, sidecarRestarts, blocked: false };
}

function initReason(state: Sparse<ContainerState> | undefined): string | undefined {
  if (state?.terminated) return terminationReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== 'PodInitializing' ? waiting : undefined;
}

function terminationReason({ reason, signal, exitCode }: Sparse<NonNullable<ContainerState['terminated']>>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);
}

function containerProgress(pod: SparsePod, known: string, sidecarRestarts: Restarts): Progress {
  let restarts = sidecarRestarts;
  let ready = 0;
  let reason = known;
  let errorReason = '';
  // From the last to the first, so that the first container with something to say has the last word.
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    const { waiting, terminated, running } = container.state ?? {};
    restarts = withRestartsOf(container, restarts);
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) {
      reason = terminationReason(terminated);
      if (terminated.exitCode) errorReason = reason;
    } else if (container.ready && running) ready++;
  }
  return { ready, restarts, reason: reason === 'Completed' ? completedReason(pod, ready, errorReason) : reason };
}

/** A Pod of which one container is done and another still runs is not done. */
function completedReason(pod: SparsePod, running: number, errorReason: string): string {
  if (running > 0 && hasTrueCondition(pod, 'Ready')) return 'Running';
  if (errorReason !== '') return errorReason;
  return running > 0 ? 'NotReady' : 'Completed';
}

function hasTrueCondition({ status }: SparsePod, type: string): boolean {
  return status?.conditions?.find(condition => condition.type === type)?.status === 'True';
}

const NO_RESTARTS: Restarts = { count: 0, last: undefined };

function withRestartsOf({ restartCount = 0, lastState }: SparseContainerStatus, { count, last }: Restarts): Restarts {
  const finished = lastState?.terminated?.finishedAt;
  const isLater = Boolean(finished) && (last === undefined || Date.parse(last) < Date.parse(finished!));
  return { count: count + restartCount, last: isLater ? finished : last };
}
