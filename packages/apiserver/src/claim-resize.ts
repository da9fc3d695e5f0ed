/** The admission plugin PersistentVolumeClaimResize: a claim grows only where its class says that volumes can. */
import { compareQuantities } from '@capstan/kube';
import { forbidden } from './status.ts';
import type { AdmissionOperation, WriteContext } from './write/context.ts';

/** Throws where a claim grows that may not. */
export function checkClaimResize(operation: AdmissionOperation, { kind, subresource, store }: WriteContext): void {
  if (operation.type !== 'UPDATE' || kind.group !== '' || kind.kind !== 'PersistentVolumeClaim' || subresource !== '') {
    return;
  }
  const { object, old } = operation;
  const size = (claim: { readonly [field: string]: unknown }): string =>
    (claim['spec'] as { resources?: { requests?: { storage?: string } } })?.resources?.requests?.storage ?? '0';
  if (compareQuantities(size(object), size(old)) <= 0) return;
  const name = object.metadata.name ?? '';
  if (old['status']?.phase !== 'Bound') {
    throw forbidden(kind, name, 'Only bound persistent volume claims can be expanded');
  }
  const [before, now] = [old['spec']?.storageClassName, object['spec']?.storageClassName];
  const found = now && before === now ? store.head('storage.k8s.io/storageclasses', now) : undefined;
  if (found?.object['allowVolumeExpansion'] === true) return;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(kind, name, why);
}
