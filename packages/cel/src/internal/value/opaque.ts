import type { Meter } from '../evaluate/meter.ts';

/** A value of a function library (a URL, an IP, a quantity): it can be compared and handed to its own functions. */
export abstract class Opaque {
  abstract readonly typeName: string;

  /** The length Kubernetes charges for, where the value has one. */
  get size(): number {
    return 1;
  }

  abstract equals(other: Opaque, meter: Meter): boolean;
}
