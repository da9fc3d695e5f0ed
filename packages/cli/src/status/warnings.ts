import type { CoreEvent } from '@capstan/kube';

/** A Warning event, as one line tells it. */
export interface Warning {
  readonly at: number;
  readonly namespace: string;
  /** `Pod/web-1`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

const RECENT = 3_600_000;

/** Those of the last hour, the newest first; the same thing said of the same object counts once, as its newest. */
export function recentWarnings(events: readonly CoreEvent[], now: number): Warning[] {
  const newest = new Map<string, Warning>();
  for (const warning of events.filter(({ type }) => type === 'Warning').map(warningOf)) {
    if (now - warning.at > RECENT) continue;
    const key = JSON.stringify([warning.namespace, warning.object, warning.reason, warning.message]);
    const other = newest.get(key);
    const count = warning.count + (other?.count ?? 0);
    newest.set(key, { ...(other && other.at > warning.at ? other : warning), count });
  }
  return [...newest.values()].toSorted((left, right) => right.at - left.at);
}

function warningOf(event: CoreEvent): Warning {
  const { involvedObject, metadata, reason = '', message = '', series } = event;
  const time = series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? metadata.creationTimestamp ?? '';
  return {
    at: Date.parse(time),
    namespace: involvedObject.namespace ?? metadata.namespace ?? '',
    object: `${involvedObject.kind}/${involvedObject.name}`,
    reason,
    message,
    count: series?.count ?? event.count ?? 1,
  };
}
