import type { Script } from '../script.ts';
import { applyFinalizers } from './apply-finalizers.ts';
import { applyLists } from './apply-lists.ts';
import { applyMaps } from './apply-maps.ts';
import { applyMigration } from './apply-migration.ts';
import { deletion } from './deletion.ts';
import { lists } from './lists.ts';
import { patches } from './patches.ts';
import { subresources } from './subresources.ts';
import { versions } from './versions.ts';
import { watching, watchLists } from './watching.ts';

/** All scripts, in the order in which they run. */
export const scripts: readonly Script[] = [
  versions,
  watching,
  watchLists,
  applyMaps,
  applyLists,
  applyFinalizers,
  applyMigration,
  subresources,
  deletion,
  patches,
  lists,
];
