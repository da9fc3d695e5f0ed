/** Which of two versions of a group is the newer one, by their names. */

/** v2, v1, v1beta2, v1beta1, v1alpha1, then others by name. */
export function newestFirst(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return right[i]! - left[i]!;
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(text: string): readonly number[] {
  const found = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text);
  if (!found) return [0, 0, 0];
  const stage = found[2] === undefined ? 3 : found[2] === 'beta' ? 2 : 1;
  return [stage, Number(found[1]), Number(found[3] ?? 0)];
}
