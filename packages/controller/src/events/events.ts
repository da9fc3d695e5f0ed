/** Events: what happened to an object, for whoever runs `kubectl describe`. */
import {
  type Client,
  type Clock,
  type CoreEvent,
  events,
  isNotFound,
  type KubeObject,
  type NewObject,
  type Random,
  timestamp,
} from '@capstan/kube';
import { runOutsideReconcile } from '../controller/current-reconcile.ts';
import type { Log } from '../log/log.ts';
import { redactedText } from '../log/redact.ts';
import { type Correlation, correlate, EventMemory } from './correlation.ts';

export interface NewEvent {
  readonly type: 'Normal' | 'Warning';
  /** One word in UpperCamelCase, for machines: `Scheduled`. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
  /** The part of the object that it is about: `spec.containers{web}`. */
  readonly fieldPath?: string;
}

/** Writes Events in the background. Nothing that goes wrong with it reaches the caller. */
export interface Recorder {
  record(object: KubeObject, event: NewEvent): void;
  /** Resolves when everything recorded so far is written or given up. */
  flush(): Promise<void>;
}

export interface RecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Who reports: the name of a system, as `kubectl describe` shows it under From. */
  readonly component: string;
  /** The node that it happened on, where that matters. */
  readonly host?: string | undefined;
}

/** The API server refuses longer ones. */
const LONGEST_MESSAGE = 1024;
/** More than this waiting means that the API server is in trouble; Events are the last thing it needs then. */
const MOST_WAITING = 1_000;

export function createRecorder({ client, clock, random, log, component, host }: RecorderOptions): Recorder {
  const memory = new EventMemory();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const write = async (object: KubeObject, event: NewEvent, at: number): Promise<void> => {
    const correlation = correlate(memory, object, event, at);
    if (correlation === undefined) return;
    const now = timestamp(at);
    if (correlation.written !== undefined) {
      const merge = { count: correlation.count, lastTimestamp: now, message: correlation.message };
      try {
        await client.patch(events, correlation.written, { merge });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const created = await client.create(events, newEvent(object, event, correlation, now));
    memory.remember(correlation, { namespace: created.metadata.namespace, name: created.metadata.name });
  };

  const newEvent = (
    object: KubeObject,
    event: NewEvent,
    { count, message }: Correlation,
    now: string,
  ): NewObject<CoreEvent> => {
    const { apiVersion, kind, metadata } = object;
    const { namespace, name, uid, resourceVersion } = metadata;
    const suffix = Buffer.from(random.bytes(8)).toString('hex');
    return {
      metadata: { name: `${name.slice(0, 200)}.${suffix}`, namespace: namespace ?? 'default' },
      involvedObject: definedOnly({
        apiVersion,
        kind,
        namespace,
        name,
        uid,
        resourceVersion,
        fieldPath: event.fieldPath,
      }),
      type: event.type,
      reason: event.reason,
      message,
      count,
      firstTimestamp: now,
      lastTimestamp: now,
      source: definedOnly({ component, host }),
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  };

  return {
    record(object, event) {
      if (waiting >= MOST_WAITING) return;
      waiting++;
      const at = clock.now();
      const safe = { ...event, message: redactedText(event.message).slice(0, LONGEST_MESSAGE) };
      // One after the other: a second occurrence has to find what the first one wrote.
      last = runOutsideReconcile(() =>
        last
          .then(() => write(object, safe, at))
          .catch(error =>
            log.warn({ error, reason: event.reason, object: object.metadata.name }, 'an Event was not written'),
          )
          .finally(() => void waiting--),
      );
    },
    flush: () => last,
  };
}

/** An object of no namespace has no `namespace` field, rather than an undefined one. */
function definedOnly<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
