import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where volumes are made: directories of this machine, named after their volumes. */
export interface VolumeDirectories {
  pathOf(volume: string): string;
  create(volume: string): Promise<void>;
  /** With all that is in it. One that is not there is no failure. */
  remove(volume: string): Promise<void>;
}

/** Directories in a folder, and never outside of it, whatever a volume is called: what is removed is removed with all that is in it. */
export function volumeDirectories(folder: string): VolumeDirectories {
  const pathOf = (volume: string): string => {
    const isName = basename(volume) === volume && !['', '.', '..'].includes(volume);
    if (!isName) throw new Error(`${JSON.stringify(volume)} is no name of a directory`);
    return join(folder, volume);
  };
  return {
    pathOf,
    async create(volume) {
      // Whoever the Pod runs as writes here; who may come near is decided by the folder above.
      await mkdir(pathOf(volume), { recursive: true, mode: 0o777 });
    },
    remove: async volume => rm(pathOf(volume), { recursive: true, force: true }),
  };
}
