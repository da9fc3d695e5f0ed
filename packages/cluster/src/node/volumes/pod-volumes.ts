/** Makes the volumes of a Pod: directories on this machine, filled where their content comes from objects. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@capstan/kube';
import { writeAtomically } from './atomic-writer.ts';
import { persistentVolumePath } from './persistent-volume-path.ts';
import type { ServiceAccountTokens } from './tokens.ts';
import { type VolumeContext, VolumeError, volumeFiles } from './volume-files.ts';

export interface PodVolumesOptions {
  /** Where the volumes of this Pod are; goes with the Pod. */
  readonly folder: string;
  readonly clock: Clock;
  readonly tokens: ServiceAccountTokens;
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  /** Where the volumes are that were made for claims. */
  readonly volumesFolder?: string | undefined;
}

export interface PreparedVolumes {
  /** Where each volume is. */
  readonly paths: ReadonlyMap<string, string>;
  /** When a token in one of them has to be renewed. */
  readonly refreshAt?: number | undefined;
}

/** A volume could not be made: which one, and why. */
export class MountFailed extends Error {
  override readonly name = 'MountFailed';
}

/** Makes them, or brings those made of objects up to date. */
export async function prepareVolumes(
  context: Omit<VolumeContext, 'token'>,
  options: PodVolumesOptions,
): Promise<PreparedVolumes> {
  const paths = new Map<string, string>();
  const { tokens, refreshAt } = await options.tokens.forPod(context.pod).catch((error: unknown) => {
    throw new MountFailed(`MountVolume.SetUp failed for volume "kube-api-access" : ${(error as Error).message}`);
  });
  for (const volume of context.pod.spec.volumes ?? []) {
    try {
      const token = (path: string): string | undefined => tokens.get(`${volume.name}/${path}`);
      paths.set(volume.name, await prepareVolume(volume, { ...context, token }, options));
    } catch (error) {
      throw new MountFailed(`MountVolume.SetUp failed for volume "${volume.name}" : ${(error as Error).message}`);
    }
  }
  return { paths, refreshAt };
}

async function prepareVolume(volume: Volume, context: VolumeContext, options: PodVolumesOptions): Promise<string> {
  const folder = join(options.folder, volume.name);
  const files = volumeFiles(volume, context);
  if (files !== undefined) {
    await writeAtomically(folder, files, versionName(options.clock.now()));
    return folder;
  }
  const { emptyDir, hostPath, persistentVolumeClaim } = volume;
  if (emptyDir !== undefined) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o777);
    return folder;
  }
  if (hostPath !== undefined) return preparedHostPath(hostPath.path, hostPath.type ?? '');
  if (persistentVolumeClaim !== undefined) return claimedPath(persistentVolumeClaim.claimName, context.pod, options);
  const sort = Object.keys(volume).find(key => key !== 'name') ?? 'nothing';
  throw new VolumeError(`volumes of the sort ${JSON.stringify(sort)} are not known to this node`);
}

async function preparedHostPath(path: string, type: string): Promise<string> {
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true });
  if (type === 'FileOrCreate') await (await import('node:fs/promises')).appendFile(path, '');
  if (type === '') return path;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new VolumeError(`hostPath type check failed: ${path} is not there`);
  const fits = type.startsWith('Directory') ? found.isDirectory() : type.startsWith('File') ? found.isFile() : true;
  if (!fits)
    throw new VolumeError(`hostPath type check failed: ${path} is not a ${type.replace('OrCreate', '').toLowerCase()}`);
  return path;
}

async function claimedPath(
  claimName: string,
  { metadata }: Pod,
  { claim, volume, volumesFolder }: PodVolumesOptions,
): Promise<string> {
  const found = claim(claimName);
  if (found === undefined) throw new VolumeError(`persistentvolumeclaim ${JSON.stringify(claimName)} not found`);
  const { volumeName } = found.spec ?? {};
  const bound = volumeName === undefined || found.status?.phase !== 'Bound' ? undefined : volume(volumeName);
  if (bound === undefined) {
    throw new VolumeError(`PVC ${metadata.namespace}/${claimName} is not bound`);
  }
  return persistentVolumePath(bound, volumesFolder);
}

/** As kubelets name them: the time, which tells states apart. */
const versionName = (now: number): string => new Date(now).toISOString().replaceAll(/[-:T.Z]/g, '_');
