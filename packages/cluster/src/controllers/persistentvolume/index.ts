/** PersistentVolumes and the claims to them. */
import type { Manager } from '@capstan/controller';
import type { BuiltinController } from '../builtin-controller.ts';
import { setUpClaims } from './claims.ts';
import { type VolumeDirectories, volumeDirectories } from './directories.ts';
import { PROVISIONER } from './provisioned-volume.ts';
import { setUpDefaultClass } from './provisioner.ts';
import { setUpVolumes } from './volumes.ts';

export interface PersistentVolumeOptions {
  /** Where volumes are made on demand. Without it there is no default class, and only volumes that someone made are bound. */
  readonly directories?: VolumeDirectories | undefined;
}

export function persistentVolumeController({ directories }: PersistentVolumeOptions = {}): BuiltinController {
  const provisioner = directories === undefined ? undefined : { name: PROVISIONER, directories };
  return {
    name: 'persistentvolume-binder',
    setup(manager: Manager): void {
      setUpClaims(manager, provisioner);
      setUpVolumes(manager, provisioner);
      if (provisioner !== undefined) setUpDefaultClass(manager);
    },
  };
}

export { type VolumeDirectories, volumeDirectories };
