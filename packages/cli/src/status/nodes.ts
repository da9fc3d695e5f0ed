import type { Namespace, Node } from '@capstan/kube';
import { conditionThat, type Finding, finding } from './finding.ts';

/** Conditions that are trouble when they are true. */
const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];

export function nodeFindings(nodes: readonly Node[]): Finding[] {
  return nodes.flatMap(node => {
    const { conditions } = node.status ?? {};
    const ready = conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') {
      return [finding('Node', node, ready?.reason ?? 'NotReady', ready?.message ?? 'it has not said that it is ready')];
    }
    return PRESSURES.flatMap(type => {
      const pressure = conditionThat(conditions, type, 'True');
      return pressure ? [finding('Node', node, type, pressure.message)] : [];
    });
  });
}

/** A namespace with content needs a moment to go; after this it is held up by something. */
const PATIENCE = 60_000;

export function namespaceFindings(namespaces: readonly Namespace[], now: number): Finding[] {
  return namespaces.flatMap(namespace => {
    const { deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp === undefined || now - Date.parse(deletionTimestamp) < PATIENCE) return [];
    const { conditions = [] } = namespace.status ?? {};
    const why = conditions.filter(({ status }) => status === 'True').map(({ message }) => message ?? '');
    const { finalizers = [] } = namespace.spec ?? {};
    const message = why.join(' ') || `is held by its finalizers: ${finalizers.join(', ')}`;
    return [finding('Namespace', namespace, 'Terminating', message)];
  });
}
