import type { CustomResourceDefinition, KubeObject, PodCondition } from '@capstan/kube';
import { AGE, CREATED_AT, NAME, type Printer } from './printer.ts';

interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly object[];
}

export const webhookConfigurationPrinter: Printer<WebhookConfiguration> = {
  columns: [
    NAME,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'Webhooks indicates the number of webhooks registered in this configuration',
      cell: ({ webhooks }) => webhooks?.length ?? 0,
    },
    AGE,
  ],
};

export const customResourceDefinitionPrinter: Printer<CustomResourceDefinition> = {
  nullWhenEmpty: true,
  columns: [
    NAME,
    { name: 'Scope', description: 'Cluster/Namespaced', cell: ({ spec }) => spec?.scope ?? '' },
    {
      name: 'Versions',
      description: 'Served versions',
      cell: ({ spec }) =>
        (spec?.versions ?? [])
          .filter(version => version.served)
          .map(version => `${version.name}${version.storage ? '(storage)' : ''}`)
          .sort()
          .join(','),
    },
    CREATED_AT,
    { name: 'Group', wide: true, description: 'API group', cell: ({ spec }) => spec?.group ?? '' },
    { name: 'Kind', wide: true, description: 'CustomResource kind', cell: ({ spec }) => spec?.names?.kind ?? '' },
    {
      name: 'ShortNames',
      wide: true,
      description: 'Short names',
      cell: ({ spec }) => (spec?.names?.shortNames ?? []).join(','),
    },
    {
      name: 'Established',
      type: 'boolean',
      wide: true,
      description: 'Established status',
      cell: ({ status }) =>
        status?.conditions?.some(condition => condition.type === 'Established' && condition.status === 'True') ?? false,
    },
  ],
};

interface ApiService extends KubeObject {
  readonly spec?: { readonly service?: { readonly namespace?: string; readonly name?: string } | null };
  readonly status?: { readonly conditions?: readonly PodCondition[] };
}

export const apiServicePrinter: Printer<ApiService> = {
  alwaysDefines: true,
  columns: [
    NAME,
    {
      name: 'Service',
      description: 'The reference to the service that hosts this API endpoint.',
      cell: ({ spec }) => (spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local'),
    },
    {
      name: 'Available',
      description: 'Whether this service is available.',
      cell({ status }) {
        const available = status?.conditions?.find(condition => condition.type === 'Available');
        if (available === undefined) return 'Unknown';
        const hasReason = available.status !== 'True' && available.reason;
        return hasReason ? `${available.status} (${available.reason})` : (available.status ?? '');
      },
    },
    AGE,
  ],
};
