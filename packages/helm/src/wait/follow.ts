/** Following one object: its state now, and each one after, until the caller has seen enough. */
import {
  type Client,
  type Clock,
  type DynamicObject,
  isGone,
  isNotFound,
  isTransient,
  type Resource,
  sleep,
} from '@capstan/kube';
import { placeOf } from '../apply/target.ts';

/** A watch that breaks is opened again after this; a server that is away is not asked more often. */
const PAUSE = 1_000;

/**
 * Calls `see` with every state of the object, `undefined` while it is not there, until `see` gives true. Watches; a broken watch is
 * opened anew, and the state that was missed is read.
 */
export async function followObject(
  client: Client,
  clock: Clock,
  resource: Resource<DynamicObject>,
  object: DynamicObject,
  signal: AbortSignal,
  see: (state: DynamicObject | undefined) => boolean,
): Promise<void> {
  const { name, namespace } = placeOf(object);
  for (;;) {
    try {
      const list = await client.list(resource, { namespace, fields: { 'metadata.name': name }, signal });
      if (see(list.items[0])) return;
      const from = list.metadata.resourceVersion;
      for await (const event of client.watch(resource, { namespace, name, from, signal })) {
        if (event.type === 'ERROR') break;
        if (event.type === 'BOOKMARK') continue;
        if (see(event.type === 'DELETED' ? undefined : event.object)) return;
      }
    } catch (error) {
      if (signal.aborted || !(isTransient(error) || isGone(error) || isNotFound(error))) throw error;
    }
    await sleep(clock, PAUSE, signal);
  }
}
