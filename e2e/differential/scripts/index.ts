import type { Script } from '../script.ts';
import { applyFinalizers } from './apply-finalizers.ts';
import { applyKinds } from './apply-kinds.ts';
import { applyLists } from './apply-lists.ts';
import { applyMaps } from './apply-maps.ts';
import { applyMigration } from './apply-migration.ts';
import { crdDefinitions } from './crd-definitions.ts';
import { crdObjects } from './crd-objects.ts';
import { crdRules } from './crd-rules.ts';
import { crdVersions } from './crd-versions.ts';
import { defaults } from './defaults.ts';
import { deletion } from './deletion.ts';
import { metadataErrors, requestErrors } from './errors.ts';
import { immutability } from './immutability.ts';
import { lists } from './lists.ts';
import { patches } from './patches.ts';
import { quantities } from './quantities.ts';
import { runningPods } from './running-pods.ts';
import { subresources } from './subresources.ts';
import { updates } from './updates.ts';
import { validation } from './validation.ts';
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
  applyKinds,
  updates,
  subresources,
  runningPods,
  deletion,
  crdDefinitions,
  crdObjects,
  crdRules,
  crdVersions,
  patches,
  lists,
  metadataErrors,
  requestErrors,
  defaults,
  quantities,
  validation,
  immutability,
];
