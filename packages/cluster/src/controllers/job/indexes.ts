/** Sets of completion indexes, as they stand in a Job's status: `0-2,5,7-9`. */

export type Indexes = ReadonlySet<number>;

/** Reads the text; what lies beyond `completions` is left out (the Job may have been made smaller). */
export function parseIndexes(text: string | undefined, completions: number): Indexes {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const found = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (found === null) continue;
    const last = Math.min(Number(found[2] ?? found[1]), completions - 1);
    for (let index = Number(found[1]); index <= last; index++) indexes.add(index);
  }
  return indexes;
}

/** Three and more in a row become a range, two stay two. */
export function formatIndexes(indexes: Indexes): string {
  const parts: string[] = [];
  const sorted = [...indexes].sort((left, right) => left - right);
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    if (end === at) parts.push(`${sorted[at]}`);
    else parts.push(`${sorted[at]}${end === at + 1 ? ',' : '-'}${sorted[end]}`);
    at = end + 1;
  }
  return parts.join(',');
}

/** The lowest indexes below `completions` that none of the sets holds. */
export function firstPending(count: number, completions: number, taken: readonly Indexes[]): readonly number[] {
  const pending: number[] = [];
  for (let index = 0; index < completions && pending.length < count; index++) {
    if (!taken.some(each => each.has(index))) pending.push(index);
  }
  return pending;
}
