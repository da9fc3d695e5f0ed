import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersistentVolume } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { volumeDirectories } from '../../controllers/persistentvolume/directories.ts';
import { PROVISIONED_BY, PROVISIONER } from '../../controllers/persistentvolume/provisioned-volume.ts';
import { persistentVolumePath } from './persistent-volume-path.ts';

let folder: string;
let original: string;
let restored: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-volume-path-'));
  original = join(folder, 'original/volumes');
  restored = join(folder, 'restored/volumes');
  mkdirSync(join(original, 'pvc-1'), { recursive: true });
  writeFileSync(join(original, 'pvc-1/data'), 'dear');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writtenByHand = (path: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pvc-1' },
  spec: { hostPath: { path } },
});
const provisioned = (path = join(original, 'pvc-1')): PersistentVolume => ({
  ...writtenByHand(path),
  metadata: { name: 'pvc-1', annotations: { [PROVISIONED_BY]: PROVISIONER } },
});

describe('a volume that was made for a claim', () => {
  it('is where it was made', async () => {
    expect(await persistentVolumePath(provisioned(), original)).toBe(join(original, 'pvc-1'));
  });

  it('is found in a data folder that was moved', async () => {
    renameSync(join(folder, 'original'), join(folder, 'restored'));
    const path = await persistentVolumePath(provisioned(), restored);
    expect(path).toBe(join(restored, 'pvc-1'));
    expect(readFileSync(join(path, 'data'), 'utf8')).toBe('dear');
    expect(existsSync(original)).toBe(false);
  });

  it('is not taken from another data folder, and nothing is made in its place', async () => {
    await expect(persistentVolumePath(provisioned(), restored)).rejects.toThrow(
      `persistentvolume "pvc-1" is missing: ${join(restored, 'pvc-1')}. The volume was made as ${join(original, 'pvc-1')}`,
    );
    expect(existsSync(restored)).toBe(false);
    expect(readdirSync(join(original, 'pvc-1'))).toEqual(['data']);
  });

  it.each([
    ['with a folder of volumes', () => original],
    ['without one', () => undefined],
  ])('is not begun anew when it has vanished, %s', async (_, volumesFolder) => {
    rmSync(join(original, 'pvc-1'), { recursive: true });
    await expect(persistentVolumePath(provisioned(), volumesFolder())).rejects.toThrow('Put it back from a copy');
    expect(readdirSync(original)).toEqual([]);
  });

  it('is not the folder of all volumes, nor one above it', async () => {
    await expect(persistentVolumePath(provisioned('/'), original)).rejects.toThrow('no directory of its own');
    await expect(persistentVolumePath(provisioned('/a/..'), original)).rejects.toThrow('no directory of its own');
  });
});

it('a volume that someone wrote is the path that it says, made when it is missing', async () => {
  expect(await persistentVolumePath(writtenByHand(join(original, 'pvc-1')), restored)).toBe(join(original, 'pvc-1'));
  const mine = join(folder, 'mine/deep');
  expect(await persistentVolumePath(writtenByHand(mine), restored)).toBe(mine);
  expect(existsSync(mine)).toBe(true);
  expect(existsSync(restored)).toBe(false);
});

describe('the removal of a volume', () => {
  it('leaves the directory of that name in another data folder alone', async () => {
    await volumeDirectories(restored).remove('pvc-1');
    expect(readFileSync(join(original, 'pvc-1/data'), 'utf8')).toBe('dear');
    await volumeDirectories(original).remove('pvc-1');
    expect(readdirSync(original)).toEqual([]);
  });

  it.each(['..', '.', '', '../volumes', 'pvc-1/..'])('refuses the name %j', async name => {
    await expect(volumeDirectories(original).remove(name)).rejects.toThrow('no name of a directory');
    expect(existsSync(join(original, 'pvc-1/data'))).toBe(true);
  });
});
