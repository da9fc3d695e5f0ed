/** Volumes that are made when they are asked for: directories, by a class that is there from the start. */
import type { Manager } from '@capstan/controller';
import { isAlreadyExists, type NewObject, type StorageClass, sleep, storageClasses } from '@capstan/kube';
import type { VolumeDirectories } from './directories.ts';
import { PROVISIONER } from './provisioned-volume.ts';

export interface Provisioner {
  /** As classes name it. */
  readonly name: string;
  readonly directories: VolumeDirectories;
}

/** The default class. All nodes are on one machine, so nothing has to wait until it is known where a Pod runs. */
const CLASS: NewObject<StorageClass> = {
  metadata: { name: 'capstan', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: PROVISIONER,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowVolumeExpansion: true,
};

/** Makes the class when it is not there. Whoever changes it has a reason; whoever deletes it gets it back at the next start. */
export function setUpDefaultClass(manager: Manager): void {
  manager.task({
    name: 'default-storage-class',
    async run(signal) {
      try {
        await manager.client.create(storageClasses, CLASS, { retry: 'idempotent' });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      await untilAborted(manager, signal);
    },
  });
}

/** A day at a time: it is done, and a task that ends would be started again. */
async function untilAborted({ clock }: Manager, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await sleep(clock, 86_400_000, signal).catch(() => {});
}
