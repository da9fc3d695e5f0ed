import type { ConfigMap, KubeObject, Secret, ServiceAccount, Sparse } from '@capstan/kube';
import { AGE, fieldOf, NAME, type Printer } from './printer.ts';

const size = (record: object | undefined): number => Object.keys(record ?? {}).length;

export const configMapPrinter: Printer<ConfigMap> = {
  columns: [
    NAME,
    {
      name: 'Data',
      description: fieldOf('core.v1.ConfigMap', 'data'),
      cell: ({ data, binaryData }) => size(data) + size(binaryData),
    },
    AGE,
  ],
};

export const secretPrinter: Printer<Secret> = {
  columns: [
    NAME,
    { name: 'Type', description: fieldOf('core.v1.Secret', 'type'), cell: ({ type }) => type ?? '' },
    { name: 'Data', description: fieldOf('core.v1.Secret', 'data'), cell: ({ data }) => size(data) },
    AGE,
  ],
};

export const serviceAccountPrinter: Printer<ServiceAccount> = { columns: [NAME, AGE] };

interface ResourceQuota extends KubeObject {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

export const resourceQuotaPrinter: Printer<ResourceQuota> = {
  columns: [
    NAME,
    {
      name: 'Request',
      description: 'Request represents a minimum amount of cpu/memory that a container may consume.',
      cell: quota => usage(quota, resource => !isLimit(resource)),
    },
    {
      name: 'Limit',
      description:
        'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.',
      cell: quota => usage(quota, isLimit),
    },
    AGE,
  ],
};

const isLimit = (resource: string): boolean => resource.startsWith('limits.');

/** `pods: 2/10, requests.cpu: 500m/1`. */
function usage({ status }: Sparse<ResourceQuota>, isShown: (resource: string) => boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => isShown(resource))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? '0'}/${hard}`)
    .join(', ');
}

interface PriorityClass extends KubeObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

export const priorityClassPrinter: Printer<PriorityClass> = {
  columns: [
    NAME,
    {
      name: 'Value',
      type: 'integer',
      description: fieldOf('scheduling.v1.PriorityClass', 'value'),
      cell: ({ value }) => value ?? 0,
    },
    {
      name: 'Global-Default',
      type: 'boolean',
      description: fieldOf('scheduling.v1.PriorityClass', 'globalDefault'),
      cell: ({ globalDefault }) => globalDefault ?? false,
    },
    AGE,
    {
      name: 'PreemptionPolicy',
      description: fieldOf('scheduling.v1.PriorityClass', 'preemptionPolicy'),
      cell: ({ preemptionPolicy }) => preemptionPolicy ?? '',
    },
  ],
};
