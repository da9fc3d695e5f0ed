/**
 * From client-side to server-side apply. What Helm 3 wrote, it owns by `Update`; what is applied is owned by `Apply`. Unless the one
 * becomes the other, a field that leaves the manifest stays on the object for ever, since its old owner never lets go.
 */
import type { Client, DynamicObject, FieldsV1, ManagedFieldsEntry, Resource } from '@capstan/kube';
import { isConflict } from '@capstan/kube';
import { placeOf } from './target.ts';

/** The field owner of Helm 4: the name of its program. */
export const FIELD_MANAGER = 'helm';

/** The entries with all that `manager` wrote by update turned into applied; undefined if there is nothing to turn. */
export function migratedEntries(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
): ManagedFieldsEntry[] | undefined {
  const isOurs = (entry: ManagedFieldsEntry): boolean => entry.manager === manager && !entry.subresource;
  const written = entries.filter(entry => isOurs(entry) && entry.operation === 'Update');
  if (written.length === 0) return undefined;
  const applied = entries.find(entry => isOurs(entry) && entry.operation === 'Apply');
  const fields = [applied, ...written].map(entry => entry?.fieldsV1 ?? {}).reduce(union);
  const merged: ManagedFieldsEntry = { ...(applied ?? written.at(-1)!), operation: 'Apply', fieldsV1: fields };
  return [merged, ...entries.filter(entry => entry !== applied && !written.includes(entry))];
}

function union(left: FieldsV1, right: FieldsV1): FieldsV1 {
  const result: Record<string, FieldsV1> = { ...left };
  for (const [path, fields] of Object.entries(right)) result[path] = union(result[path] ?? {}, fields);
  return result;
}

/** How often an object that others write at the same moment is read anew. */
const ATTEMPTS = 5;

/** Turns the ownership of a live object; does nothing where it is turned already. */
export async function migrateFieldManagers(
  client: Client,
  resource: Resource<DynamicObject>,
  live: DynamicObject,
): Promise<void> {
  let object = live;
  for (let attempt = 1; ; attempt++) {
    const managedFields = migratedEntries(object.metadata.managedFields ?? [], FIELD_MANAGER);
    if (managedFields === undefined) return;
    try {
      await client.patch(
        resource,
        placeOf(object),
        {
          json: [
            { op: 'replace', path: '/metadata/managedFields', value: managedFields },
            // The server answers Conflict if the object has changed since.
            { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion },
          ],
        },
        { owner: FIELD_MANAGER },
      );
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      object = await client.get(resource, placeOf(object));
    }
  }
}
