/** Volumes that our provisioner made: known by an annotation, and found by the name of their directory. Pure. */
import { basename } from 'node:path';
import type { PersistentVolume } from '@capstan/kube';

/** As classes name it. */
export const PROVISIONER = 'capstan.io/directory';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** False for volumes that people wrote, and for those of other provisioners: their paths mean what they say. */
export const isProvisioned = ({ metadata }: PersistentVolume): boolean =>
  metadata.annotations?.[PROVISIONED_BY] === PROVISIONER;

/** Where a volume says that it is on this machine; undefined for one that is elsewhere. */
export const recordedPath = ({ spec }: PersistentVolume): string | undefined =>
  spec?.hostPath?.path ?? spec?.local?.path;

/**
 * What the directory is called in the folder of volumes. The rest of the path is where that folder was when the volume was made, which says
 * nothing about now: a data folder is moved, or restored beside one that is still in use.
 */
export function directoryName(path: string): string | undefined {
  const name = basename(path);
  return ['', '.', '..'].includes(name) ? undefined : name;
}
