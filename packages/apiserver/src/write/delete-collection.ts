import { StatusError } from '../status.ts';
import type { Entry } from '../store/entry.ts';
import type { WriteContext } from './context.ts';
import { type Removal, remove } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';

/**
 * One after the other until someone objects, as Kubernetes does; but the commits of those that nobody objected to are made
 * together. Undefined for what someone else removed first.
 */
export async function removeAll(
  context: WriteContext,
  entries: readonly Entry[],
  options: DeleteOptions,
): Promise<readonly (Removal | undefined)[]> {
  const removals: Promise<Removal | undefined>[] = [];
  try {
    for (const { object } of entries) {
      const admitted = Promise.withResolvers<void>();
      const removal = remove(context, object.metadata.name!, options, admitted.resolve).catch(error => {
        if (error instanceof StatusError && error.status.code === 404) return undefined;
        throw error;
      });
      removals.push(removal);
      await Promise.race([admitted.promise, removal]);
    }
    return await Promise.all(removals);
  } finally {
    await Promise.allSettled(removals);
  }
}
