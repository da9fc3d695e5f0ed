import type { Difference } from './compare.ts';

/** A difference that was looked at and is meant to stay, with the reason. */
export interface Accepted {
  /** Name of the script, or `*`. */
  readonly script: string;
  /** Title of the step, or `*`. */
  readonly step: string;
  /** Matches the pointer of the difference from its beginning. */
  readonly pointer: RegExp;
  readonly reason: string;
}

/** Add to it only what a user of Kubernetes would not notice, or what `docs/cluster.md` says is left out. */
export const accepted: readonly Accepted[] = [];

export interface Review {
  readonly unexpected: readonly Difference[];
  /** Entries that no difference needed: the server got better, and the list has to shrink. */
  readonly used: ReadonlySet<Accepted>;
}

/** Parts the differences of one script into accepted ones and those that are failures. */
export function review(
  script: string,
  differences: readonly Difference[],
  list: readonly Accepted[] = accepted,
): Review {
  const used = new Set<Accepted>();
  const unexpected = differences.filter(difference => {
    const entry = list.find(candidate => accepts(candidate, script, difference));
    if (entry !== undefined) used.add(entry);
    return entry === undefined;
  });
  return { unexpected, used };
}

function accepts(entry: Accepted, script: string, { step, pointer }: Difference): boolean {
  return (
    (entry.script === '*' || entry.script === script) &&
    (entry.step === '*' || entry.step === step) &&
    pointer.search(entry.pointer) === 0
  );
}
