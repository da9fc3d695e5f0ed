import type { KubeObject, ObjectReferenceField, PersistentVolumeClaim, Sparse } from '@capstan/kube';
import { AGE, type Column, fieldOf, NAME, type PrintContext, type Printer } from './printer.ts';

interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly accessModes?: readonly string[];
    readonly persistentVolumeReclaimPolicy?: string;
    readonly claimRef?: ObjectReferenceField;
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: { readonly phase?: string; readonly reason?: string };
}

/** What both ends of a binding have. */
type VolumeOrClaim = PersistentVolume | (PersistentVolumeClaim & Pick<PersistentVolume, 'metadata'>);

export const persistentVolumePrinter: Printer<PersistentVolume> = {
  columns: [
    NAME,
    {
      name: 'Capacity',
      description: fieldOf('core.v1.PersistentVolumeSpec', 'capacity'),
      cell: ({ spec }) => spec?.capacity?.['storage'] ?? '0',
    },
    {
      name: 'Access Modes',
      description: fieldOf('core.v1.PersistentVolumeSpec', 'accessModes'),
      cell: ({ spec }) => accessModes(spec?.accessModes),
    },
    {
      name: 'Reclaim Policy',
      description: fieldOf('core.v1.PersistentVolumeSpec', 'persistentVolumeReclaimPolicy'),
      cell: ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
    },
    { name: 'Status', description: fieldOf('core.v1.PersistentVolumeStatus', 'phase'), cell: phase },
    {
      name: 'Claim',
      description: fieldOf('core.v1.PersistentVolumeSpec', 'claimRef'),
      cell: ({ spec }) => (spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : ''),
    },
    { name: 'StorageClass', description: 'StorageClass of the pv', cell: storageClass },
    attributesClass('pv'),
    {
      name: 'Reason',
      description: fieldOf('core.v1.PersistentVolumeStatus', 'reason'),
      cell: ({ status }) => status?.reason ?? '',
    },
    AGE,
    volumeMode('core.v1.PersistentVolumeSpec'),
  ],
};

export const persistentVolumeClaimPrinter: Printer<PersistentVolumeClaim> = {
  columns: [
    NAME,
    { name: 'Status', description: fieldOf('core.v1.PersistentVolumeClaimStatus', 'phase'), cell: phase },
    {
      name: 'Volume',
      description: fieldOf('core.v1.PersistentVolumeClaimSpec', 'volumeName'),
      cell: ({ spec }) => spec?.volumeName ?? '',
    },
    {
      name: 'Capacity',
      description: fieldOf('core.v1.PersistentVolumeClaimStatus', 'capacity'),
      cell: ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.['storage'] ?? '0') : ''),
    },
    {
      name: 'Access Modes',
      description: fieldOf('core.v1.PersistentVolumeClaimStatus', 'accessModes'),
      cell: ({ spec, status }) => (spec?.volumeName ? accessModes(status?.accessModes) : ''),
    },
    { name: 'StorageClass', description: 'StorageClass of the pvc', cell: storageClass },
    attributesClass('pvc'),
    AGE,
    volumeMode('core.v1.PersistentVolumeClaimSpec'),
  ],
};

const ACCESS_MODES = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };

function accessModes(modes: readonly string[] = []): string {
  return Object.entries(ACCESS_MODES)
    .flatMap(([mode, short]) => (modes.includes(mode) ? [short] : []))
    .join(',');
}

function phase({ metadata, status }: Sparse<VolumeOrClaim>): string {
  return metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');
}

/** The annotation is how a class was named before there was a field for it, and still wins. */
function storageClass({ metadata, spec }: Sparse<VolumeOrClaim>): string {
  return metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
}

function attributesClass(shortName: 'pv' | 'pvc'): Column<VolumeOrClaim> {
  return {
    name: 'VolumeAttributesClass',
    description: `VolumeAttributesClass of the ${shortName}`,
    cell: ({ spec }) => (spec as Sparse<PersistentVolume>['spec'] | undefined)?.volumeAttributesClassName ?? '<unset>',
  };
}

function volumeMode(type: string): Column<VolumeOrClaim> {
  return {
    name: 'VolumeMode',
    wide: true,
    description: fieldOf(type, 'volumeMode'),
    cell: ({ spec }) => spec?.volumeMode ?? '<unset>',
  };
}

interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
}

export const storageClassPrinter: Printer<StorageClass> = {
  columns: [
    { ...NAME, cell: nameAndDefault },
    {
      name: 'Provisioner',
      description: fieldOf('storage.v1.StorageClass', 'provisioner'),
      cell: ({ provisioner }) => provisioner ?? '',
    },
    {
      name: 'ReclaimPolicy',
      description: fieldOf('storage.v1.StorageClass', 'reclaimPolicy'),
      cell: ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    },
    {
      name: 'VolumeBindingMode',
      description: fieldOf('storage.v1.StorageClass', 'volumeBindingMode'),
      cell: ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
    },
    {
      name: 'AllowVolumeExpansion',
      description: fieldOf('storage.v1.StorageClass', 'allowVolumeExpansion'),
      cell: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    },
    AGE,
  ],
};

/** Several classes may be marked as the default one; the newest is. Only a list can tell. */
function nameAndDefault({ metadata }: Sparse<StorageClass>, { list }: PrintContext): string {
  const name = metadata?.name ?? '';
  return name === defaultClass(list) ? `${name} (default)` : name;
}

function defaultClass(classes: readonly KubeObject[]): string | undefined {
  const created = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  return classes
    .filter(isMarkedDefault)
    .sort((left, right) =>
      created(left) === created(right)
        ? order(left.metadata.name, right.metadata.name)
        : order(created(right), created(left)),
    )[0]?.metadata.name;
}

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function isMarkedDefault({ metadata }: KubeObject): boolean {
  return ['', 'beta.'].some(
    version => metadata.annotations?.[`storageclass.${version}kubernetes.io/is-default-class`] === 'true',
  );
}
