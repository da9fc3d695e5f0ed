import { deepClone } from '@capstan/kube';
import type { Draft } from '../kind.ts';
import { notFound } from '../status.ts';
import { keyOf, tableOf } from '../storage.ts';
import type { Entry } from '../store/entry.ts';
import { HeadMoved } from '../store/store.ts';
import type { WriteContext } from './context.ts';

/**
 * Changes an object as it is stored, without the checks and field managers of an update: for what the server itself decides
 * about it. `edit` runs again when someone else wrote first; it may refuse by throwing.
 */
export async function rewrite(
  { store, kind, namespace, options }: WriteContext,
  name: string,
  edit: (draft: Draft) => void,
): Promise<Entry> {
  for (;;) {
    const head = store.head(tableOf(kind), keyOf(namespace, name));
    if (!head) throw notFound(kind, name);
    const draft = deepClone(head.object) as Draft;
    edit(draft);
    if (options.dryRun) return head;
    try {
      return await store.write(tableOf(kind), head.key, head, draft);
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
    }
  }
}
