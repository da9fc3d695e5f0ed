/** The binder's other half: what a volume says about itself, and what becomes of it when its claim is gone. */
import { done, fail, type Manager, type ReconcileContext, type Recorder, type Result } from '@capstan/controller';
import {
  deepEqual,
  isNotFound,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  timestamp,
} from '@capstan/kube';
import { PROVISIONED_BY } from './provisioned-volume.ts';
import type { Provisioner } from './provisioner.ts';

const PROTECTION = 'kubernetes.io/pv-protection';

export function setUpVolumes(manager: Manager, provisioner: Provisioner | undefined): void {
  const { cache } = manager;
  const recorder = manager.recorder('persistentvolume-controller');
  manager.controller({
    name: 'persistentvolume-binder/volumes',
    for: persistentVolumes,
    wakeOnOwnWrites: true,
    watches: [
      { kind: persistentVolumeClaims, map: ({ spec }) => (spec?.volumeName ? [{ name: spec.volumeName }] : []) },
    ],
    async reconcile({ name }, context): Promise<Result> {
      const volume = await cache.get(persistentVolumes, { name });
      if (volume === undefined) return done();
      const claim = await claimOf(volume, context);
      const phase = phaseOf(volume, claim);
      if (phase !== 'Bound' && volume.metadata.deletionTimestamp !== undefined) return release(volume, context);
      if (volume.status?.phase !== phase) {
        await setPhase(volume, { phase }, context);
        return done();
      }
      if ((phase !== 'Released' && phase !== 'Failed') || volume.spec?.persistentVolumeReclaimPolicy !== 'Delete')
        return done();
      return reclaim(volume, provisioner, recorder, context);
    },
  });
}

/** The claim that a volume names by uid. Before it is taken to be gone, the API is asked: what follows may be a deletion. */
async function claimOf(
  { spec }: PersistentVolume,
  { cache, client }: ReconcileContext,
): Promise<PersistentVolumeClaim | undefined> {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  if (!uid || name === undefined) return undefined;
  const cached = await cache.get(persistentVolumeClaims, { namespace, name });
  if (cached?.metadata.uid === uid) return cached;
  try {
    const live = await client.get(persistentVolumeClaims, { namespace, name });
    return live.metadata.uid === uid ? live : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

type Phase = NonNullable<NonNullable<PersistentVolume['status']>['phase']>;

function phaseOf({ spec, status }: PersistentVolume, claim: PersistentVolumeClaim | undefined): Phase {
  if (!spec?.claimRef?.uid) return 'Available';
  if (claim !== undefined) return 'Bound';
  // A failure to remove it stays visible until it is removed.
  return status?.phase === 'Failed' ? 'Failed' : 'Released';
}

async function setPhase(
  volume: PersistentVolume,
  status: NonNullable<PersistentVolume['status']>,
  { client, now }: ReconcileContext,
): Promise<void> {
  const moved = volume.status?.phase !== status.phase;
  const lastPhaseTransitionTime = moved ? timestamp(now) : volume.status?.lastPhaseTransitionTime;
  const next = { ...status, ...(lastPhaseTransitionTime !== undefined && { lastPhaseTransitionTime }) };
  if (!deepEqual(next, volume.status)) await client.updateStatus(persistentVolumes, { ...volume, status: next });
}

/** Someone deleted it, and no claim holds it. */
async function release(volume: PersistentVolume, { client }: ReconcileContext): Promise<Result> {
  const { finalizers = [] } = volume.metadata;
  if (!finalizers.includes(PROTECTION)) return done();
  const rest = finalizers.filter(finalizer => finalizer !== PROTECTION);
  await client.update(persistentVolumes, { ...volume, metadata: { ...volume.metadata, finalizers: rest } });
  return done();
}

/** First the data, then the object: what is gone from the API could never be found again. */
async function reclaim(
  volume: PersistentVolume,
  provisioner: Provisioner | undefined,
  recorder: Recorder,
  context: ReconcileContext,
): Promise<Result> {
  const { name, uid, resourceVersion, annotations } = volume.metadata;
  // Those of other provisioners are theirs to delete.
  if (provisioner === undefined || annotations?.[PROVISIONED_BY] !== provisioner.name) return done();
  try {
    await provisioner.directories.remove(name);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    recorder.record(volume, { type: 'Warning', reason: 'VolumeFailedDelete', message });
    await setPhase(volume, { phase: 'Failed', message }, context);
    return fail(`the directory of ${name} cannot be removed: ${message}`);
  }
  try {
    await context.client.delete(persistentVolumes, { name }, { preconditions: { uid, resourceVersion } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done();
}
