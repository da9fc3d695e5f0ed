import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder with everything in it, also directories that their owner may not enter: overlays and programs leave such. */
export async function removeTree(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await remove().catch(async () => {
    await openUp(folder);
    await remove();
  });
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openUp(join(folder, entry.name));
}
