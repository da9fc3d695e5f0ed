/** The garbage collector: objects whose owners are gone go too, in the way that was asked for. */
import { type CacheChange, type Finish, type Manager, Queue, type Recorder } from '@capstan/controller';
import { createDiscovery, isConflict, type Resource, sleep } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { Collector } from './collector.ts';
import { Graph } from './graph.ts';
import { collectableKinds, Monitors } from './monitors.ts';

const WORKERS = 20;
/** Kinds that come with a CustomResourceDefinition are noticed at once; this is for those of other servers. */
const DISCOVERY_INTERVAL = 30_000;
/** How soon an owner that exists, but that no watch has shown, is asked for again. */
const UNSEEN_INTERVAL = 10_000;

export const garbageCollector: BuiltinController = {
  name: 'garbage-collector',
  setup(manager: Manager): void {
    const recorder = manager.recorder('garbage-collector-controller');
    manager.task({ name: 'garbage-collector', run: signal => collectGarbage(manager, recorder, signal) });
  },
};

async function collectGarbage(manager: Manager, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const { client, clock, random } = manager;
  const log = manager.log.child({ controller: 'garbage-collector' });
  const graph = new Graph();
  const queue = new Queue({ clock, random });
  const discovery = createDiscovery(client, { clock });
  const collector = new Collector({ client, discovery, graph, recorder, log, enqueue: uid => queue.add(uid) });
  let newKinds = new AbortController();

  const onChange = (resource: Resource, change: CacheChange): void => {
    if (resource.plural === 'customresourcedefinitions') newKinds.abort();
    const { object } = change;
    if (change.type === 'deleted') {
      const { uid, namespace = '', name } = object.metadata;
      const { apiVersion, kind } = object;
      if (uid === undefined) return;
      const affected = graph.remove(uid);
      collector.absent.add({ apiVersion, kind, name, uid }, namespace);
      for (const each of affected) queue.add(each);
    } else {
      for (const each of graph.put(resource, object)) queue.add(each, change.initial ? 'low' : 'normal');
    }
  };
  const onGone = (resource: Resource): void => {
    for (const each of graph.forget(resource)) queue.add(each);
  };
  const monitors = new Monitors({ transport: client.transport, clock, random, onChange, onGone });

  const work = async (): Promise<void> => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      let finish: Finish = { type: 'done' };
      try {
        if ((await collector.look(item.key)) === 'look again')
          finish = { type: 'after', milliseconds: UNSEEN_INTERVAL };
      } catch (error) {
        finish = { type: 'failed' };
        if (!signal.aborted && !isConflict(error)) {
          log.warn({ uid: item.key, error }, 'garbage collection of an object failed; it will be tried again');
        }
      }
      queue.finish(item.key, finish);
    }
  };

  signal.addEventListener('abort', () => queue.close(), { once: true });
  await monitors.watch(collectableKinds(await discovery.resources()), signal);
  const working = Array.from({ length: WORKERS }, work);
  try {
    while (!signal.aborted) {
      await sleep(clock, DISCOVERY_INTERVAL, AbortSignal.any([signal, newKinds.signal])).catch(() => {});
      if (signal.aborted) break;
      // What is announced while we ask is asked for in the next round.
      newKinds = new AbortController();
      discovery.invalidate();
      await monitors.watch(collectableKinds(await discovery.resources()), signal);
    }
  } finally {
    queue.close();
    await Promise.all([...working, monitors.stop()]);
  }
}
