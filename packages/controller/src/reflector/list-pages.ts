import { isGone, type KubeObject, type ObjectList, TransportError } from '@capstan/kube';
import type { Attempt } from '../attempt.ts';
import { Silence } from './decision.ts';
import type { ListWatch } from './list-watch.ts';

/** client-go's page size: small enough not to strain the server, large enough that ten thousand objects take twenty requests. */
const PAGE = 500;

export interface Listed<T> {
  readonly items: readonly T[];
  /** The version of the first page: a watch from there sees whatever changed while the others came in. */
  readonly resourceVersion: string;
}

/** Lists everything in pages. If the server forgets the snapshot on the way (410), all of it is asked for at once instead. */
export async function listPages<T extends KubeObject>(
  listWatch: ListWatch<T>,
  attempt: Attempt,
  timeout: number,
): Promise<Listed<T>> {
  const page = (limit: number | undefined, token?: string) => {
    attempt.deadline(timeout, () => new Silence('list', timeout));
    return listWatch.list({ limit, continue: token, signal: attempt.signal });
  };
  const first = await page(PAGE);
  const items = [...(first.items ?? [])];
  let token = first.metadata?.continue;
  while (token !== undefined && token !== '') {
    let next: Awaited<ReturnType<typeof page>>;
    try {
      next = await page(PAGE, token);
    } catch (error) {
      if (!isGone(error)) throw error;
      const whole = await page(undefined);
      return { items: whole.items ?? [], resourceVersion: versionOf(whole) };
    }
    for (const item of next.items ?? []) items.push(item);
    token = next.metadata?.continue;
  }
  return { items, resourceVersion: versionOf(first) };
}

function versionOf(list: ObjectList): string {
  const version = list.metadata?.resourceVersion;
  if (!version)
    throw new TransportError('EBADBODY', 'a list came without a resourceVersion: there is nothing to watch from');
  return version;
}
