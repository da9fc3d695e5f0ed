import { Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';

/** A map key as errors name it. */
export function keyText(key: Value): string {
  if (key instanceof Uint) return key.value.toString();
  return typeof key === 'object' ? 'unsupported key' : String(key);
}
