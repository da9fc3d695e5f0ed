import type { PodSpec } from '@capstan/kube';
import type { ContainerFacts } from './container-facts.ts';

/** Whether a container that ended like this runs again. */
export function restarts({ role, state }: Pick<ContainerFacts, 'role' | 'state'>, spec: PodSpec): boolean {
  if (state.type !== 'exited') return true;
  const failed = state.exitCode !== 0;
  switch (role) {
    case 'sidecar':
      return true;
    case 'init':
      return failed && spec.restartPolicy !== 'Never';
    case 'app':
      return spec.restartPolicy === 'OnFailure' ? failed : spec.restartPolicy !== 'Never';
  }
}
