/** The Events of a Pod, in a kubelet's words. */
import type { Recorder } from '@capstan/controller';
import type { Container, Pod } from '@capstan/kube';

export interface PodEvents {
  normal(reason: string, message: string, container?: Container): void;
  warning(reason: string, message: string, container?: Container): void;
}

export function podEvents(recorder: Recorder, pod: () => Pod): PodEvents {
  const record = (type: 'Normal' | 'Warning', reason: string, message: string, container?: Container): void => {
    const about = pod();
    const list =
      container && about.spec.initContainers?.some(({ name }) => name === container.name)
        ? 'initContainers'
        : 'containers';
    const fieldPath = container && { fieldPath: `spec.${list}{${container.name}}` };
    recorder.record(about, { type, reason, message, ...fieldPath });
  };
  return {
    normal: (reason, message, container) => record('Normal', reason, message, container),
    warning: (reason, message, container) => record('Warning', reason, message, container),
  };
}
