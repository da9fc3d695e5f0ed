/** kube-scheduler's part: a node for every Pod. */
import type { Manager } from '@capstan/controller';
import { nodes, persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { SCHEDULER_NAME, Scheduler } from './scheduler.ts';

export const scheduler: BuiltinController = {
  name: 'scheduler',
  setup(manager: Manager): void {
    const { cache } = manager;
    cache.declare(nodes);
    cache.declare(pods);
    cache.declare(persistentVolumeClaims);
    cache.declare(persistentVolumes);
    cache.declare(storageClasses);
    const recorder = manager.recorder(SCHEDULER_NAME);
    manager.task({ name: 'scheduler', run: signal => new Scheduler(manager, recorder).run(signal) });
  },
};
