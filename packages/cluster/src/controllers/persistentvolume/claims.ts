/** The binder's one half: each claim gets a volume, found or made. */
import { done, type Manager, type ReconcileContext, type Recorder, type Result } from '@capstan/controller';
import {
  deepEqual,
  isAlreadyExists,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type StorageClass,
  storageClasses,
} from '@capstan/kube';
import { BIND_COMPLETED, type ClaimStep, nextStep, type Said } from './claim-step.ts';
import { PROVISIONED_BY } from './provisioned-volume.ts';
import type { Provisioner } from './provisioner.ts';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export function setUpClaims(manager: Manager, provisioner: Provisioner | undefined): void {
  const { cache } = manager;
  const recorder = manager.recorder('persistentvolume-controller');
  cache.declare(nodes);
  /** What was last said about a claim: it is not said again while nothing else is. */
  const told = new Map<string, string>();
  const unbound = (): { namespace: string; name: string }[] =>
    cache
      .of(persistentVolumeClaims)
      .now.list()
      .filter(({ status }) => status?.phase !== 'Bound')
      .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }));
  manager.controller({
    name: 'persistentvolume-binder/claims',
    for: persistentVolumeClaims,
    wakeOnOwnWrites: true,
    watches: [
      { kind: persistentVolumes, map: ({ spec }) => (spec?.claimRef === undefined ? unbound() : named(spec.claimRef)) },
      { kind: storageClasses, map: unbound },
    ],
    async reconcile({ namespace, name }, context): Promise<Result> {
      const claim = await cache.get(persistentVolumeClaims, { namespace, name });
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) {
        told.delete(`${namespace}/${name}`);
        return done();
      }
      const classes = await cache.list(storageClasses);
      const step = nextStep(claim, {
        volumes: await cache.list(persistentVolumes),
        storageClass: classes.find(({ metadata }) => metadata.name === claim.spec?.storageClassName),
        defaultClass: defaultClass(classes),
        provisioner: provisioner?.name,
        node: each => cache.of(nodes).now.get({ name: each }),
      });
      return take(step, claim, { ...context, recorder, provisioner, told });
    },
  });
}

const named = ({ namespace = '', name }: { namespace?: string; name?: string }) =>
  name === undefined ? [] : [{ namespace, name }];

/** The newest of several. */
function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return classes
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .sort((left, right) =>
      (left.metadata.creationTimestamp ?? '') < (right.metadata.creationTimestamp ?? '') ? 1 : -1,
    )[0];
}

interface StepContext extends ReconcileContext {
  readonly recorder: Recorder;
  readonly provisioner: Provisioner | undefined;
  readonly told: Map<string, string>;
}

/** Does one step. Its write is guarded by the version that it was decided on, and wakes the next one. */
async function take(step: ClaimStep, claim: PersistentVolumeClaim, context: StepContext): Promise<Result> {
  const { client, provisioner, recorder } = context;
  const { metadata, spec } = claim;
  switch (step.type) {
    case 'classify':
      await client.update(persistentVolumeClaims, { ...claim, spec: { ...spec, storageClassName: step.storageClass } });
      break;
    case 'reserve':
      await client.update(persistentVolumes, reserved(step.volume, claim));
      break;
    case 'bind': {
      const { name } = step.volume.metadata;
      const annotations = { ...metadata.annotations, [BIND_COMPLETED]: 'yes', [BOUND_BY_CONTROLLER]: 'yes' };
      await client.update(persistentVolumeClaims, {
        ...claim,
        metadata: { ...metadata, annotations },
        spec: { ...spec, volumeName: name },
      });
      break;
    }
    case 'provision':
      await provision(step.storageClass, claim, provisioner!, context);
      break;
    case 'expand':
      await client.update(persistentVolumes, {
        ...step.volume,
        spec: { ...step.volume.spec, capacity: { ...step.volume.spec?.capacity, storage: step.storage } },
      });
      recorder.record(claim, said('Normal', 'VolumeResizeSuccessful', `volume ${step.volume.metadata.name} has grown`));
      break;
    case 'settle':
      await settle(claim, step, context);
      break;
  }
  return done();
}

const said = (type: Said['type'], reason: string, message: string): Said => ({ type, reason, message });

function reserved(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): PersistentVolume {
  const { namespace, name, uid, resourceVersion } = metadata;
  const claimRef = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const asked = volume.spec?.claimRef !== undefined;
  const annotations = { ...volume.metadata.annotations, ...(!asked && { [BOUND_BY_CONTROLLER]: 'yes' }) };
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec: { ...volume.spec, claimRef } };
}

/** The name of the volume comes from the claim: a second try finds the first. */
async function provision(
  storageClass: StorageClass,
  claim: PersistentVolumeClaim,
  { name: provisioner, directories }: Provisioner,
  { client, recorder }: StepContext,
): Promise<void> {
  const name = `pvc-${claim.metadata.uid}`;
  await directories.create(name);
  const { reclaimPolicy = 'Delete', mountOptions } = storageClass;
  const storage = claim.spec?.resources?.requests?.['storage'] ?? '1';
  const volume = reserved(
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name, annotations: { [PROVISIONED_BY]: provisioner } },
      spec: {
        capacity: { storage },
        accessModes: claim.spec?.accessModes ?? [],
        persistentVolumeReclaimPolicy: reclaimPolicy,
        storageClassName: storageClass.metadata.name,
        volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
        hostPath: { path: directories.pathOf(name), type: 'DirectoryOrCreate' },
        ...(mountOptions !== undefined && { mountOptions }),
      },
    },
    claim,
  );
  try {
    await client.create(persistentVolumes, volume, { retry: 'idempotent' });
    const message = `Successfully provisioned volume ${name}`;
    recorder.record(claim, said('Normal', 'ProvisioningSucceeded', message));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function settle(
  claim: PersistentVolumeClaim,
  { phase, volume, said }: Extract<ClaimStep, { type: 'settle' }>,
  { client, recorder, told }: StepContext,
): Promise<void> {
  const status =
    phase === 'Bound' && volume !== undefined
      ? {
          ...claim.status,
          phase,
          accessModes: volume.spec?.accessModes ?? [],
          capacity: { ...claim.status?.capacity, ...volume.spec?.capacity },
        }
      : { ...claim.status, phase };
  const isNew = !deepEqual(status, claim.status);
  if (isNew) await client.updateStatus(persistentVolumeClaims, { ...claim, status });
  const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
  const text = said && `${claim.metadata.uid} ${said.message}`;
  if (said !== undefined && text !== undefined && told.get(key) !== text) {
    told.set(key, text);
    recorder.record(claim, said);
  }
  if (said === undefined) told.delete(key);
}
