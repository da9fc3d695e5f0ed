import type { Lease, Namespace, Node, Sparse } from '@capstan/kube';
import { AGE, type Column, fieldOf, NAME, type Printer } from './printer.ts';

const ROLE_LABEL = 'kubernetes.io/role';
const ROLE_LABEL_PREFIX = 'node-role.kubernetes.io/';

export const nodePrinter: Printer<Node> = {
  columns: [
    NAME,
    { name: 'Status', description: 'The status of the node', cell: nodeStatus },
    { name: 'Roles', description: 'The roles of the node', cell: nodeRoles },
    AGE,
    {
      name: 'Version',
      description: fieldOf('core.v1.NodeSystemInfo', 'kubeletVersion'),
      cell: node => nodeInfo(node, 'kubeletVersion'),
    },
    nodeAddress('Internal-IP', 'InternalIP'),
    nodeAddress('External-IP', 'ExternalIP'),
    {
      name: 'OS-Image',
      wide: true,
      description: fieldOf('core.v1.NodeSystemInfo', 'osImage'),
      cell: node => nodeInfo(node, 'osImage') || '<unknown>',
    },
    {
      name: 'Kernel-Version',
      wide: true,
      description: fieldOf('core.v1.NodeSystemInfo', 'kernelVersion'),
      cell(node) {
        const architecture = nodeInfo(node, 'architecture');
        const version = nodeInfo(node, 'kernelVersion') || '<unknown>';
        return architecture === '' ? version : `${version} (${architecture})`;
      },
    },
    {
      name: 'Container-Runtime',
      wide: true,
      description: fieldOf('core.v1.NodeSystemInfo', 'containerRuntimeVersion'),
      cell: node => nodeInfo(node, 'containerRuntimeVersion') || '<unknown>',
    },
  ],
};

function nodeStatus({ spec, status }: Sparse<Node>): string {
  const ready = status?.conditions?.findLast(condition => condition.type === 'Ready');
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (spec?.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

function nodeRoles({ metadata }: Sparse<Node>): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata?.labels ?? {})) {
    if (label.startsWith(ROLE_LABEL_PREFIX)) roles.add(label.slice(ROLE_LABEL_PREFIX.length));
    else if (label === ROLE_LABEL && value) roles.add(value);
  }
  roles.delete('');
  return [...roles].sort().join(',') || '<none>';
}

function nodeInfo({ status }: Sparse<Node>, field: string): string {
  return String(status?.nodeInfo?.[field] ?? '');
}

function nodeAddress(name: string, type: string): Column<Node> {
  return {
    name,
    wide: true,
    description: fieldOf('core.v1.NodeStatus', 'addresses'),
    cell: ({ status }) => status?.addresses?.find(address => address.type === type)?.address ?? '<none>',
  };
}

export const namespacePrinter: Printer<Namespace> = {
  columns: [
    NAME,
    { name: 'Status', description: 'The status of the namespace', cell: ({ status }) => status?.phase ?? '' },
    AGE,
  ],
};

export const leasePrinter: Printer<Lease> = {
  columns: [
    NAME,
    {
      name: 'Holder',
      description: fieldOf('coordination.v1.LeaseSpec', 'holderIdentity'),
      cell: ({ spec }) => spec?.holderIdentity ?? '',
    },
    AGE,
  ],
};
