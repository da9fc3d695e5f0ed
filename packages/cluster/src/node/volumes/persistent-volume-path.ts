/** Where the directory of a PersistentVolume is. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PersistentVolume } from '@capstan/kube';
import { directoryName, isProvisioned, recordedPath } from '../../controllers/persistentvolume/provisioned-volume.ts';
import { VolumeError } from './volume-files.ts';

/** A path that a person wrote is made when it is missing. A directory that we made held data: if it is missing, the Pod waits. */
export async function persistentVolumePath(volume: PersistentVolume, volumesFolder?: string): Promise<string> {
  const recorded = recordedPath(volume);
  const { name } = volume.metadata;
  if (recorded === undefined)
    throw new VolumeError(`persistentvolume ${JSON.stringify(name)} is no directory of this machine`);
  if (isProvisioned(volume)) return provisionedPath(name, recorded, volumesFolder);
  await mkdir(recorded, { recursive: true });
  return recorded;
}

async function provisionedPath(name: string, recorded: string, volumesFolder: string | undefined): Promise<string> {
  const directory = directoryName(recorded);
  if (directory === undefined)
    throw new VolumeError(`persistentvolume ${JSON.stringify(name)} has no directory of its own: ${recorded}`);
  const path = volumesFolder === undefined ? recorded : join(volumesFolder, directory);
  if (!(await isDirectory(path))) throw new VolumeError(missing(name, path, recorded));
  return path;
}

/** Only what is not there counts as missing; what may not be looked at is told as it is. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function missing(name: string, path: string, recorded: string): string {
  const wayOut =
    path === recorded
      ? 'Put it back from a copy'
      : `The volume was made as ${recorded}, in another data folder, which is left alone: copy that directory to ${path} (cp -a)`;
  return `the directory of persistentvolume ${JSON.stringify(name)} is missing: ${path}. ${wayOut}, or make an empty one to begin without data; it is used within two minutes`;
}
