/** What all writes have in common, plain ones and applies. */
import { EMPTY_SET, type FieldSet, setOf } from './fieldset.ts';
import type { JsonObject } from './json-value.ts';
import { ListItemError } from './list-item.ts';
import type { ManagerIdentity, Operation } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { TypeMismatch } from './validate.ts';
import { ConversionFailed, type Versions } from './versions.ts';

/** What every write says of itself. */
export interface Write extends Versions {
  /** The name of the writer; empty counts as `unknown`. */
  readonly manager: string;
  /** Empty for the main endpoint. */
  readonly subresource: string;
  /** Now, RFC 3339 in UTC to the second. */
  readonly time: string;
  /** Paths that a write through this endpoint cannot change: `[['status']]` on the main one of most kinds. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /**
   * What an object of this kind holds before anything was set. Kubernetes' built-in types are Go structs: a new Deployment has
   * a `spec.template`, if an empty one, so that nobody comes to own the template as such. Absent for custom resources.
   */
  readonly empty?: JsonObject | undefined;
}

export function identityOf({ manager, apiVersion, subresource }: Write, operation: Operation): ManagerIdentity {
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

export function ignoredFields({ resetFields = [] }: Write): FieldSet {
  if (resetFields.length === 0) return EMPTY_SET;
  return setOf(...resetFields.map(path => path.map(fieldElement)));
}

/** What stands for the live object where there is none. */
export function emptyObject(write: Write, kind: unknown): JsonObject {
  return { ...write.empty, apiVersion: write.apiVersion, kind };
}

/** An object that does not fit its schema, or cannot be converted to a manager's version: no fault of the program. */
export function cannotBeTracked(error: unknown): error is Error {
  return error instanceof TypeMismatch || error instanceof ListItemError || error instanceof ConversionFailed;
}
