/** Where the volumes of a Pod appear in a container. */
import { mkdir, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Container } from '@capstan/kube';
import { ConfigurationError } from '../environment/environment.ts';
import { expand } from '../environment/expand.ts';
import type { Mount } from '../host/container-runtime.ts';

export async function mountsOf(
  { volumeMounts = [] }: Container,
  paths: ReadonlyMap<string, string>,
  env: ReadonlyMap<string, string>,
): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const { name, mountPath, subPath, subPathExpr, readOnly = false } of volumeMounts) {
    const volume = paths.get(name);
    if (volume === undefined) throw new ConfigurationError(`volume ${JSON.stringify(name)} is not there`);
    const below = subPathExpr === undefined ? (subPath ?? '') : expand(subPathExpr, env);
    const source = join(volume, below);
    if (normalize(join('/', below)) !== join('/', below) || below.split('/').includes('..')) {
      throw new ConfigurationError(`subPath ${JSON.stringify(below)} leads out of volume ${JSON.stringify(name)}`);
    }
    const isThere = await stat(source).then(
      () => true,
      () => false,
    );
    if (!isThere) await mkdir(source, { recursive: true });
    mounts.push({ source, target: normalize(mountPath), readOnly });
  }
  return mounts;
}
