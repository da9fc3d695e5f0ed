/**
 * Which Events become one, by the rules of client-go's correlator: the same event again counts up; more than ten that differ in
 * their message only become one; and one object gets a burst of 25, then one every five minutes.
 */
import type { KubeObject, ObjectReference } from '@capstan/kube';
import type { NewEvent } from './events.ts';

const SIMILAR_LIMIT = 10;
const SIMILAR_WINDOW = 600_000;
const BURST = 25;
const REFILL = 300_000;
/** Objects and events that are remembered; the longest unused is forgotten first. */
const REMEMBERED = 4_096;

export interface Correlation {
  readonly key: string;
  readonly message: string;
  readonly count: number;
  /** The Event that was written for it before. */
  readonly written: ObjectReference | undefined;
}

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Bucket {
  tokens: number;
  last: number;
}

export class EventMemory {
  readonly same = new Recent<{ count: number; written: ObjectReference | undefined }>();
  readonly similar = new Recent<Similar>();
  readonly buckets = new Recent<Bucket>();

  remember({ key, count }: Correlation, written: ObjectReference): void {
    this.same.set(key, { count, written });
  }
}

/** A map that forgets what was not used for long. */
class Recent<V> {
  readonly #map = new Map<string, V>();

  get(key: string): V | undefined {
    const value = this.#map.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > REMEMBERED) this.#map.delete(this.#map.keys().next().value!);
  }
}

/** What to write for an event at this moment; `undefined` when the object has had too many. */
export function correlate(
  memory: EventMemory,
  object: KubeObject,
  event: NewEvent,
  now: number,
): Correlation | undefined {
  const about = `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name} ${object.metadata.uid ?? ''}`;
  const group = `${about} ${event.fieldPath ?? ''} ${event.type} ${event.reason}`;
  const similar = memory.similar.get(group);
  const messages = similar === undefined || now - similar.last > SIMILAR_WINDOW ? new Set<string>() : similar.messages;
  if (messages.size <= SIMILAR_LIMIT) messages.add(event.message);
  memory.similar.set(group, { messages, last: now });
  const combined = messages.size > SIMILAR_LIMIT;
  const message = combined ? `(combined from similar events): ${event.message}` : event.message;
  const key = combined ? `${group} combined` : `${group} ${event.message}`;
  if (!takeToken(memory, about, now)) return undefined;
  const before = memory.same.get(key);
  const count = (before?.count ?? 0) + 1;
  memory.same.set(key, { count, written: before?.written });
  return { key, message, count, written: before?.written };
}

function takeToken(memory: EventMemory, about: string, now: number): boolean {
  const bucket = memory.buckets.get(about) ?? { tokens: BURST, last: now };
  const tokens = Math.min(BURST, bucket.tokens + (now - bucket.last) / REFILL);
  const taken = tokens >= 1;
  memory.buckets.set(about, { tokens: taken ? tokens - 1 : tokens, last: now });
  return taken;
}
