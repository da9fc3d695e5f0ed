import type { DaemonSet, Deployment, KubeObject, ReplicaSet, StatefulSet } from '@capstan/kube';
import { containerColumns } from './containers.ts';
import { labelsText, readSelector, selectorText } from './labels.ts';
import { AGE, type Column, fieldOf, NAME, type Printer } from './printer.ts';

export const deploymentPrinter: Printer<Deployment> = {
  columns: [
    NAME,
    readyReplicas(),
    {
      name: 'Up-to-date',
      description: fieldOf('apps.v1.DeploymentStatus', 'updatedReplicas'),
      cell: ({ status }) => status?.updatedReplicas ?? 0,
    },
    {
      name: 'Available',
      description: fieldOf('apps.v1.DeploymentStatus', 'availableReplicas'),
      cell: ({ status }) => status?.availableReplicas ?? 0,
    },
    AGE,
    ...containerColumns<Deployment>(({ spec }) => spec?.template),
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('apps.v1.DeploymentSpec', 'selector'),
      cell: ({ spec }) => readSelector(spec?.selector, '<invalid>'),
    },
  ],
};

export const replicaSetPrinter: Printer<ReplicaSet> = {
  columns: [
    NAME,
    {
      name: 'Desired',
      type: 'integer',
      description: fieldOf('apps.v1.ReplicaSetSpec', 'replicas'),
      cell: ({ spec }) => spec?.replicas ?? 0,
    },
    {
      name: 'Current',
      type: 'integer',
      description: fieldOf('apps.v1.ReplicaSetStatus', 'replicas'),
      cell: ({ status }) => status?.replicas ?? 0,
    },
    {
      name: 'Ready',
      type: 'integer',
      description: fieldOf('apps.v1.ReplicaSetStatus', 'readyReplicas'),
      cell: ({ status }) => status?.readyReplicas ?? 0,
    },
    AGE,
    ...containerColumns<ReplicaSet>(({ spec }) => spec?.template),
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('apps.v1.ReplicaSetSpec', 'selector'),
      cell: ({ spec }) => selectorText(spec?.selector),
    },
  ],
};

export const statefulSetPrinter: Printer<StatefulSet> = {
  columns: [NAME, readyReplicas(), AGE, ...containerColumns<StatefulSet>(({ spec }) => spec?.template)],
};

export const daemonSetPrinter: Printer<DaemonSet> = {
  columns: [
    NAME,
    nodeCount('Desired', 'desiredNumberScheduled'),
    nodeCount('Current', 'currentNumberScheduled'),
    nodeCount('Ready', 'numberReady'),
    nodeCount('Up-to-date', 'updatedNumberScheduled'),
    nodeCount('Available', 'numberAvailable'),
    {
      name: 'Node Selector',
      description: fieldOf('core.v1.PodSpec', 'nodeSelector'),
      cell: ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
    },
    AGE,
    ...containerColumns<DaemonSet>(({ spec }) => spec?.template),
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('apps.v1.DaemonSetSpec', 'selector'),
      cell: ({ spec }) => selectorText(spec?.selector),
    },
  ],
};

type CountedNodes = Extract<
  keyof NonNullable<DaemonSet['status']>,
  'desiredNumberScheduled' | 'currentNumberScheduled' | 'numberReady' | 'updatedNumberScheduled' | 'numberAvailable'
>;

function nodeCount(name: string, field: CountedNodes): Column<DaemonSet> {
  return {
    name,
    type: 'integer',
    description: fieldOf('apps.v1.DaemonSetStatus', field),
    cell: ({ status }) => status?.[field] ?? 0,
  };
}

function readyReplicas<T extends Deployment | StatefulSet>(): Column<T> {
  return {
    name: 'Ready',
    description: 'Number of the pod with ready state',
    cell(object) {
      const { spec, status } = object as Pick<Deployment, 'spec' | 'status'>;
      return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    },
  };
}

interface ControllerRevision extends KubeObject {
  readonly revision: number;
}

export const controllerRevisionPrinter: Printer<ControllerRevision> = {
  columns: [
    NAME,
    {
      name: 'Controller',
      description: 'Controller of the object',
      cell({ metadata }) {
        const owner = metadata?.ownerReferences?.find(reference => reference.controller);
        if (!owner) return '<none>';
        const [group, version] = (owner.apiVersion ?? '').split('/');
        const kind = version === undefined ? owner.kind : `${owner.kind}.${group}`;
        return `${kind?.toLowerCase()}/${owner.name}`;
      },
    },
    {
      name: 'Revision',
      description: fieldOf('apps.v1.ControllerRevision', 'revision'),
      cell: ({ revision }) => revision ?? 0,
    },
    AGE,
  ],
};
