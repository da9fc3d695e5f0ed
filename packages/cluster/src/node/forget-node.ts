import { join } from 'node:path';
import { endLeftBehind } from './host/left-behind.ts';
import { removeTree } from './host/remove-tree.ts';
import { RunningFiles } from './host/running-files.ts';

/** Removes the folder of a process node that does not run: its Pods' files and logs, and first what it may have left running. */
export async function forgetNode(folder: string): Promise<void> {
  await endLeftBehind(new RunningFiles(join(folder, 'running')));
  await removeTree(folder);
}
