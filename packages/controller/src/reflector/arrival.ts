import type { KubeObject, ObjectEvent, ObjectIdentity, ObjectMeta } from '@capstan/kube';

/** An object that came in. Who it is is known; reading `metadata` or `object` may be what parses them. */
export interface Arrival<T extends KubeObject = KubeObject> {
  readonly identity: ObjectIdentity;
  readonly metadata: ObjectMeta;
  readonly object: T;
}

/** What an event brings. */
export function arrivalOf<T extends KubeObject>(event: ObjectEvent<T>): Arrival<T> {
  return event.identity === undefined ? arrived(event.object) : (event as Arrival<T>);
}

/** An object that is there in full. */
export function arrived<T extends KubeObject>(object: T): Arrival<T> {
  return { identity: object.metadata, metadata: object.metadata, object };
}
