import type { Job } from '@capstan/kube';
import { type Indexes, parseIndexes } from './indexes.ts';

/** The message of the first rule by which enough indexes have succeeded, if there is one. */
export function successMessage({ spec }: Job, succeeded: Indexes): string | undefined {
  if (succeeded.size === 0) return undefined;
  const met = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = parseIndexes(succeededIndexes, spec.completions ?? 0);
    const done = [...required].filter(index => succeeded.has(index)).length;
    return required.size > 0 && done >= (succeededCount ?? required.size);
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
