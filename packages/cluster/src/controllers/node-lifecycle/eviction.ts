/** When a Pod has to leave a node that has taints with the effect NoExecute. Pure. */
import type { Toleration } from '@capstan/kube';
import { type Taint, tolerates } from '../scheduler/tolerations.ts';

/** Milliseconds since the epoch; `never` if it may stay. */
export function evictionTime(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  now: number,
): number | 'never' {
  let earliest = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    if (taint.effect !== 'NoExecute') continue;
    const since = taint.timeAdded === undefined ? now : Date.parse(taint.timeAdded);
    earliest = Math.min(earliest, since + endurance(taint, tolerations));
  }
  return earliest === Number.POSITIVE_INFINITY ? 'never' : earliest;
}

/** How long a taint is put up with: the shortest of the tolerations that fit, none at all without one. */
function endurance(taint: Taint, tolerations: readonly Toleration[]): number {
  const fitting = tolerations.filter(toleration => tolerates(toleration, taint));
  if (fitting.length === 0) return Number.NEGATIVE_INFINITY;
  const seconds = fitting.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(...seconds)) * 1_000;
}
