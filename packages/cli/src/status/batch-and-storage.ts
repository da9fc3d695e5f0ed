import type { Job, PersistentVolumeClaim, Pod, StorageClass } from '@capstan/kube';
import { conditionThat, type Finding, finding } from './finding.ts';

export function jobFindings(jobs: readonly Job[]): Finding[] {
  return jobs.flatMap(job => {
    const failed = conditionThat(job.status?.conditions, 'Failed', 'True');
    return failed ? [finding('Job', job, failed.reason ?? 'Failed', failed.message)] : [];
  });
}

/** Claims without a volume, but for those that wait on purpose for their first Pod. */
export function claimFindings(
  claims: readonly PersistentVolumeClaim[],
  classes: readonly StorageClass[],
  pods: readonly Pod[],
): Finding[] {
  const lazy = new Set(
    classes
      .filter(({ volumeBindingMode }) => volumeBindingMode === 'WaitForFirstConsumer')
      .map(({ metadata }) => metadata.name),
  );
  return claims.flatMap(claim => {
    const { phase = 'Pending' } = claim.status ?? {};
    if (phase === 'Bound' || claim.metadata.deletionTimestamp !== undefined) return [];
    if (phase === 'Lost') return [finding('PersistentVolumeClaim', claim, 'Lost', 'its volume is gone')];
    const { storageClassName = '' } = claim.spec ?? {};
    if (lazy.has(storageClassName) && !pods.some(pod => uses(pod, claim))) return [];
    const of = storageClassName === '' ? 'it names no storage class' : `of storage class ${storageClassName}`;
    return [finding('PersistentVolumeClaim', claim, 'Pending', `not bound to a volume; ${of}`)];
  });
}

function uses({ metadata, spec }: Pod, claim: PersistentVolumeClaim): boolean {
  const { namespace, name } = claim.metadata;
  return (
    metadata.namespace === namespace &&
    (spec.volumes ?? []).some(volume => volume.persistentVolumeClaim?.claimName === name)
  );
}
