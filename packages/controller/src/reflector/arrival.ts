import type { KubeObject, ObjectEvent, ObjectMeta } from '@capstan/kube';

/** An object that came in. Its metadata is known; reading `object` may be what parses the rest of it. */
export interface Arrival<T extends KubeObject = KubeObject> {
  readonly metadata: ObjectMeta;
  readonly object: T;
}

/** What an event brings. */
export function arrivalOf<T extends KubeObject>(event: ObjectEvent<T>): Arrival<T> {
  return event.metadata === undefined ? arrived(event.object) : (event as Arrival<T>);
}

/** An object that is there in full. */
export function arrived<T extends KubeObject>(object: T): Arrival<T> {
  return { metadata: object.metadata, object };
}
