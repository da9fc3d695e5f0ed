import type { Pod, Sparse } from '@capstan/kube';
import { since } from './duration.ts';
import { podSummary } from './pod-summary.ts';
import { AGE, fieldOf, NAME, type PrintContext, type Printer, type RowCondition } from './printer.ts';

export const podPrinter: Printer<Pod> = {
  columns: [
    NAME,
    {
      name: 'Ready',
      description: 'The aggregate readiness state of this pod for accepting traffic.',
      cell(pod) {
        const { ready, total } = podSummary(pod);
        return `${ready}/${total}`;
      },
    },
    {
      name: 'Status',
      description: 'The aggregate status of the containers in this pod.',
      cell: pod => podSummary(pod).status,
    },
    {
      name: 'Restarts',
      description:
        'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
      cell: restarts,
    },
    AGE,
    {
      name: 'IP',
      wide: true,
      description: fieldOf('core.v1.PodStatus', 'podIP'),
      cell: ({ status }) => status?.podIP || status?.podIPs?.[0]?.ip || '<none>',
    },
    {
      name: 'Node',
      wide: true,
      description: fieldOf('core.v1.PodSpec', 'nodeName'),
      cell: ({ spec }) => spec?.nodeName || '<none>',
    },
    {
      name: 'Nominated Node',
      wide: true,
      description: fieldOf('core.v1.PodStatus', 'nominatedNodeName'),
      cell: ({ status }) => (status as { nominatedNodeName?: string } | undefined)?.nominatedNodeName || '<none>',
    },
    {
      name: 'Readiness Gates',
      wide: true,
      description: fieldOf('core.v1.PodSpec', 'readinessGates'),
      cell: readinessGates,
    },
  ],
  conditions({ status }) {
    if (status?.phase === 'Succeeded') return [completed('Succeeded', 'The pod has completed successfully.')];
    return status?.phase === 'Failed' ? [completed('Failed', 'The pod failed.')] : [];
  },
};

function restarts(pod: Sparse<Pod>, { now }: PrintContext): string {
  const { restarts: count, lastRestart } = podSummary(pod);
  return count > 0 && lastRestart !== undefined ? `${count} (${since(lastRestart, now)} ago)` : String(count);
}

function readinessGates({ spec, status }: Sparse<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const isOpen = (type: string | undefined): boolean =>
    status?.conditions?.find(condition => condition.type === type)?.status === 'True';
  return `${gates.filter(gate => isOpen(gate.conditionType)).length}/${gates.length}`;
}

const completed = (reason: string, message: string): RowCondition => ({
  type: 'Completed',
  status: 'True',
  reason,
  message,
});
