import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@capstan/kube';
import type { StructuralSchema } from '../../schema.ts';

/** A value and what it was before the update. Whether the two are equal is found out at most once. */
export class Correlation {
  readonly now: Json;
  readonly before: Json | undefined;
  #unchanged: boolean | undefined;

  constructor(now: Json, before: Json | undefined) {
    this.now = now;
    this.before = before;
  }

  get isUnchanged(): boolean {
    return (this.#unchanged ??= this.before !== undefined && isDeepStrictEqual(this.now, this.before));
  }
}

/** Finds, for an element of a list of type map, the element with the same keys before the update. */
export function oldElements(schema: StructuralSchema, before: Json | undefined): (element: Json) => Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(before)) return () => undefined;
  const identify = (element: Json): string | undefined => {
    if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined;
    return JSON.stringify(keys.map(key => element[key] ?? schema.items?.properties?.[key]?.default ?? null));
  };
  const byIdentity = new Map<string, Json>();
  for (const element of before) {
    const identity = identify(element);
    if (identity !== undefined && !byIdentity.has(identity)) byIdentity.set(identity, element);
  }
  return element => {
    const identity = identify(element);
    return identity === undefined ? undefined : byIdentity.get(identity);
  };
}
