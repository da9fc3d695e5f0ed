import type { ContainerStatus, Pod } from '@capstan/kube';
import { badRequest } from '../status.ts';

/** Throws, in the words of a kubelet, where a container has no log by what its Pod says of it. */
export function requireLog({ metadata, status }: Pod, container: string, previous: boolean): void {
  const which = `container ${JSON.stringify(container)} in pod ${JSON.stringify(metadata.name)}`;
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = (status ?? {}) as Statuses;
  const found = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === container,
  );
  if (!found) throw badRequest(`${which} is not available`);
  const { state = {}, lastState = {} } = found;
  if (previous) {
    if (!lastState.terminated) throw badRequest(`previous terminated ${which} not found`);
    return;
  }
  if (state.running || state.terminated || lastState.terminated) return;
  if (!state.waiting) throw badRequest(`${which} is waiting to start - no logs yet`);
  throw badRequest(`${which} is waiting to start: ${whyWaiting(state.waiting.reason ?? '')}`);
}

interface Statuses {
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
}

function whyWaiting(reason: string): string {
  switch (reason) {
    case 'ErrImagePull':
      return "image can't be pulled";
    case 'ImagePullBackOff':
      return 'trying and failing to pull image';
    default:
      return reason;
  }
}
