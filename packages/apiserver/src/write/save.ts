import type { Draft } from '../kind.ts';
import { tableOf } from '../storage.ts';
import type { Entry } from '../store/entry.ts';
import type { WriteContext } from './context.ts';

/** Stores a draft of the request's version in place of `expected`, and gives it back as that version shows it. */
export async function save(
  { store, kind, views }: WriteContext,
  key: string,
  expected: Entry | undefined,
  draft: Draft,
): Promise<Entry> {
  const stored = await views.stored(kind, draft);
  return views.of(kind, await store.write(tableOf(kind), key, expected, stored));
}
