import type { List } from './list.ts';
import type { Mapping } from './mapping.ts';
import type { Opaque } from './opaque.ts';
import type { Optional } from './optional.ts';
import type { Duration, Timestamp } from './time.ts';
import type { TypeValue } from './type-value.ts';
import type { Uint } from './uint.ts';

/** Everything an expression can compute. A `bigint` is an `int`, a `number` a `double`. */
export type Value =
  | null
  | boolean
  | bigint
  | Uint
  | number
  | string
  | Uint8Array
  | Timestamp
  | Duration
  | List
  | Mapping
  | Optional
  | TypeValue
  | Opaque;
