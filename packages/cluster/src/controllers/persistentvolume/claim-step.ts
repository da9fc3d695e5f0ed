/** What a claim needs next. One step at a time, each from what is there: whoever is killed in between goes on where it was. Pure. */
import {
  compareQuantities,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '@capstan/kube';
import { SELECTED_NODE } from '../scheduler/volumes.ts';
import { bestMatch, isKeptFor, whyUnsuitable } from './match.ts';
import { PROVISIONED_BY } from './provisioned-volume.ts';

export interface Surroundings {
  readonly volumes: readonly PersistentVolume[];
  readonly storageClass: StorageClass | undefined;
  /** The class for claims that name none. */
  readonly defaultClass: StorageClass | undefined;
  /** The name of the provisioner that we are. */
  readonly provisioner: string | undefined;
  node(name: string): Node | undefined;
}

export interface Said {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export type ClaimStep =
  /** It gets the default class. */
  | { readonly type: 'classify'; readonly storageClass: string }
  /** A volume is put aside for it. */
  | { readonly type: 'reserve'; readonly volume: PersistentVolume }
  /** It takes the volume that names it. */
  | { readonly type: 'bind'; readonly volume: PersistentVolume }
  | { readonly type: 'provision'; readonly storageClass: StorageClass }
  /** Its volume grows to what it asks for now. */
  | { readonly type: 'expand'; readonly volume: PersistentVolume; readonly storage: string }
  /** Nothing but its status is to be written. */
  | {
      readonly type: 'settle';
      readonly phase: 'Bound' | 'Lost' | 'Pending';
      readonly volume?: PersistentVolume;
      readonly said?: Said;
    };

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

export function nextStep(claim: PersistentVolumeClaim, around: Surroundings): ClaimStep {
  const { volumeName } = claim.spec ?? {};
  const isBound = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  return isBound && volumeName ? boundStep(claim, volumeName, around) : unboundStep(claim, around);
}

function boundStep(claim: PersistentVolumeClaim, name: string, around: Surroundings): ClaimStep {
  const volume = around.volumes.find(({ metadata }) => metadata.name === name);
  if (volume === undefined) {
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  }
  if (volume.spec?.claimRef === undefined) return { type: 'reserve', volume };
  if (!isKeptFor(volume, claim)) {
    return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
  }
  const wanted = claim.spec?.resources?.requests?.['storage'];
  const has = volume.spec?.capacity?.['storage'] ?? '0';
  const mayGrow = around.storageClass?.allowVolumeExpansion === true;
  if (wanted !== undefined && mayGrow && isOurs(volume, around) && compareQuantities(wanted, has) > 0) {
    return { type: 'expand', volume, storage: wanted };
  }
  return { type: 'settle', phase: 'Bound', volume };
}

function unboundStep(claim: PersistentVolumeClaim, around: Surroundings): ClaimStep {
  const { volumeName, storageClassName } = claim.spec ?? {};
  if (volumeName) return requestedStep(claim, volumeName, around);
  const { defaultClass, storageClass } = around;
  if (storageClassName === undefined && defaultClass !== undefined) {
    return { type: 'classify', storageClass: defaultClass.metadata.name };
  }
  const selected = claim.metadata.annotations?.[SELECTED_NODE];
  const delayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = bestMatch(claim, around.volumes, selected === undefined ? undefined : around.node(selected));
  if (volume !== undefined && isKeptFor(volume, claim))
    return { type: volume.spec?.claimRef?.uid ? 'bind' : 'reserve', volume };
  if (delayed && selected === undefined) {
    const message = 'waiting for first consumer to be created before binding';
    return pending({ type: 'Normal', reason: 'WaitForFirstConsumer', message });
  }
  if (volume !== undefined) return { type: 'reserve', volume };
  if (!storageClassName) {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return pending({ type: 'Normal', reason: 'FailedBinding', message });
  }
  return provisionStep(storageClassName, around);
}

/** The claim names its volume itself. */
function requestedStep(claim: PersistentVolumeClaim, name: string, { volumes }: Surroundings): ClaimStep {
  const volume = volumes.find(({ metadata }) => metadata.name === name);
  if (volume === undefined) return pending();
  const problem = whyUnsuitable(volume, claim);
  const refused = (message: string): ClaimStep => pending({ type: 'Warning', reason: 'VolumeMismatch', message });
  if (volume.spec?.claimRef !== undefined && !isKeptFor(volume, claim)) {
    const message = `volume "${name}" already bound to a different claim.`;
    return pending({ type: 'Warning', reason: 'FailedBinding', message });
  }
  if (problem !== undefined) return refused(`Cannot bind to requested volume "${name}": ${problem}`);
  return { type: volume.spec?.claimRef?.uid ? 'bind' : 'reserve', volume };
}

function provisionStep(name: string, { storageClass, provisioner }: Surroundings): ClaimStep {
  if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io "${name}" not found`;
    return pending({ type: 'Warning', reason: 'ProvisioningFailed', message });
  }
  if (storageClass.provisioner === provisioner) return { type: 'provision', storageClass };
  if (storageClass.provisioner === 'kubernetes.io/no-provisioner') return pending();
  const message = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  return pending({ type: 'Normal', reason: 'ExternalProvisioning', message });
}

const isOurs = ({ metadata }: PersistentVolume, { provisioner }: Surroundings): boolean =>
  provisioner !== undefined && metadata.annotations?.[PROVISIONED_BY] === provisioner;

const pending = (said?: Said): ClaimStep => ({ type: 'settle', phase: 'Pending', ...(said !== undefined && { said }) });

const lost = (reason: string, message: string): ClaimStep => ({
  type: 'settle',
  phase: 'Lost',
  said: { type: 'Warning', reason, message },
});
