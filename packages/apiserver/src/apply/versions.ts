/** Managers write in different versions of a kind: an object in each of them, converted on demand. */

import type { Schema } from '../schema/schema.ts';
import { type Atom, atomOf } from './atom.ts';
import type { JsonObject } from './json-value.ts';
import { TypeMismatch, validateValue } from './validate.ts';

/** A value of a version with what that version's schema says of it. */
export interface Typed {
  readonly value: JsonObject;
  readonly atom: Atom;
  readonly apiVersion: string;
}

export interface Versions {
  /** The version of the request. */
  readonly apiVersion: string;
  readonly schema: Schema | undefined;
  /** Of another version of the kind; undefined when it is not served (any more), and whoever wrote in it is forgotten. */
  readonly schemaFor?: ((apiVersion: string) => Schema | undefined) | undefined;
  /** Into another version; absent where only `apiVersion` changes. */
  readonly convert?: ((object: JsonObject, apiVersion: string) => JsonObject) | undefined;
}

function atomFor(versions: Versions, apiVersion: string): Atom | undefined {
  if (apiVersion === versions.apiVersion) return atomOf(versions.schema);
  const schema = versions.schemaFor?.(apiVersion);
  return schema === undefined ? undefined : atomOf(schema);
}

/**
 * Undefined for a version that is not served. Throws TypeMismatch (`what` says in its message which object it was) and
 * ConversionFailed.
 */
export function inVersion(typed: Typed, apiVersion: string, versions: Versions, what = ''): Typed | undefined {
  if (typed.apiVersion === apiVersion) return typed;
  const atom = atomFor(versions, apiVersion);
  if (atom === undefined) return undefined;
  const value = convert(typed.value, apiVersion, versions);
  try {
    validateValue(value, atom, false);
  } catch (error) {
    throw error instanceof TypeMismatch ? new TypeMismatch(error.problems, what) : error;
  }
  return { value, atom, apiVersion };
}

function convert(value: JsonObject, apiVersion: string, versions: Versions): JsonObject {
  if (versions.convert === undefined) return { ...value, apiVersion };
  try {
    return versions.convert(value, apiVersion);
  } catch (error) {
    throw new ConversionFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** An object cannot be brought into the version of one of its managers. */
export class ConversionFailed extends Error {
  override readonly name = 'ConversionFailed';
}
