import type { Failure } from './failure.ts';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
import type { Value } from './value.ts';

/**
 * Lists and maps inside an object, once they have been looked at. A rule that reads `self.labels` a thousand times gets
 * the same map every time, and its keys are counted once. Scalars are not worth keeping.
 */
export class PartCache<K> {
  #known: Map<K, Value> | undefined;

  get(key: K, make: () => Value | Failure): Value | Failure {
    const known = this.#known?.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made instanceof List || made instanceof Mapping) (this.#known ??= new Map()).set(key, made);
    return made;
  }
}
