/**
 * Resource versions can be compared since Kubernetes 1.35 says so for every server (KEP-5504): a decimal number without leading
 * zeros, too long for a JavaScript number, so by length first and then as text.
 */
import type { ObjectIdentity } from '@capstan/kube';

/** A version that can be compared. `""`, `"0"` and anything a strange server may send cannot. */
export function isComparable(resourceVersion: string | undefined): resourceVersion is string {
  return resourceVersion !== undefined && /^[1-9][0-9]*$/.test(resourceVersion);
}

/** Negative when `left` is older than `right`, 0 when they are the same. Both must be comparable. */
export function compareVersions(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Whether a cache that has seen everything up to `seen` has seen `wanted`. Of versions that cannot be compared only equal ones count. */
export function hasReached(seen: string | undefined, wanted: string): boolean {
  if (seen === wanted) return true;
  return isComparable(seen) && isComparable(wanted) && compareVersions(seen, wanted) >= 0;
}

/** Objects in the order in which they were last changed, the newest first. */
export function newestFirst<T extends { readonly identity: ObjectIdentity }>(objects: Iterable<T>): T[] {
  const version = ({ identity: { resourceVersion } }: T): string =>
    isComparable(resourceVersion) ? resourceVersion : '';
  return [...objects].sort((left, right) => compareVersions(version(right), version(left)));
}
