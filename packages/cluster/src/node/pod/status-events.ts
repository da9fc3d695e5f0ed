/** Events that tell of a change of the status itself: a container begins to wait for its next try, the Pod has had its time. Pure. */
import type { NewEvent } from '@capstan/controller';
import type { Pod, PodStatus } from '@capstan/kube';
import { nameForPeople } from './container-status.ts';

export interface StatusEvent extends NewEvent {
  readonly container?: string;
}

export function statusEvents(pod: Pod, before: PodStatus | undefined, after: PodStatus): StatusEvent[] {
  const events: StatusEvent[] = [];
  const earlier = new Map(statusesIn(before).map(status => [status.name, status.state?.waiting?.reason]));
  for (const { name: container, state, image } of statusesIn(after)) {
    const reason = state?.waiting?.reason;
    if (reason === undefined || reason === earlier.get(container)) continue;
    if (reason === 'CrashLoopBackOff') {
      const message = `Back-off restarting failed container ${container} in pod ${nameForPeople(pod)}`;
      events.push({ type: 'Warning', reason: 'BackOff', message, container });
    }
    if (reason === 'ImagePullBackOff') {
      events.push({
        type: 'Normal',
        reason: 'BackOff',
        message: `Back-off pulling image ${JSON.stringify(image)}`,
        container,
      });
      events.push({ type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff', container });
    }
  }
  const { reason, message = '' } = after;
  if (reason === 'DeadlineExceeded' && before?.reason !== reason) events.push({ type: 'Normal', reason, message });
  return events;
}

const statusesIn = ({ initContainerStatuses = [], containerStatuses = [] }: PodStatus = {}) => [
  ...initContainerStatuses,
  ...containerStatuses,
];
