import type { Release } from './release.ts';

/** As Helm: ten revisions are kept, unless more are asked for; 0 keeps all. */
export const DEFAULT_HISTORY = 10;

/**
 * The revisions to remove so that there is room for one more: the oldest first, never the deployed one, and never one after it,
 * since those tell which objects an operation that failed may have left.
 *
 * @param history oldest first
 */
export function revisionsToDrop(history: readonly Release[], limit: number): number[] {
  if (limit <= 0) return [];
  const surplus = history.length - (limit - 1);
  if (surplus <= 0) return [];
  const deployed = history.findLast(({ info }) => info.status === 'deployed');
  const older = history.filter(({ version }) => deployed === undefined || version < deployed.version);
  const newer = history.filter(({ version }) => deployed !== undefined && version > deployed.version);
  // Only when the older ones do not make room are failed attempts since then given up, all but the latest.
  return [...older, ...newer.slice(0, -1)].slice(0, surplus).map(({ version }) => version);
}
