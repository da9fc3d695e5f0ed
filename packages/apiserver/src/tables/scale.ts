import type { KubeObject } from '@capstan/kube';
import { AGE, fieldOf, NAME, type Printer } from './printer.ts';

interface ScaleObject extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** Of the `/scale` subresource, whatever it belongs to. */
export const scalePrinter: Printer<ScaleObject> = {
  columns: [
    { name: 'Name', description: NAME.description, cell: NAME.cell },
    {
      name: 'Desired',
      type: 'integer',
      description: fieldOf('autoscaling.v1.ScaleSpec', 'replicas'),
      cell: ({ spec }) => spec?.replicas ?? 0,
    },
    {
      name: 'Available',
      type: 'integer',
      description: fieldOf('autoscaling.v1.ScaleStatus', 'replicas'),
      cell: ({ status }) => status?.replicas ?? 0,
    },
    AGE,
  ],
};
