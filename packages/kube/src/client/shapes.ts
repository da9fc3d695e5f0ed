/** The shapes of objects that callers hand in: what may be left out depends on what is done with them. */
import type { KubeObject, ObjectMeta } from '../object.ts';

/** Names one object of a kind. `namespace` is left out for kinds that have none. */
export interface ObjectReference {
  readonly namespace?: string | undefined;
  readonly name: string;
}

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** An object to create: `apiVersion` and `kind` are filled in, and `generateName` may stand for the name. */
export type NewObject<T extends KubeObject> = {
  readonly [Key in keyof T as Key extends keyof KubeObject | 'status' ? never : Key]: T[Key];
} & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Optional<ObjectMeta>;
} & (T extends { readonly status?: infer S } ? { readonly status?: S } : unknown);

/** Every field may be left out, at any depth. */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Sparse<T[Key]> | undefined }
    : T;

/** An object to apply: the fields that the caller wants to own, and no others. */
export type AppliedObject<T extends KubeObject> = {
  readonly [Key in keyof T as Key extends keyof KubeObject ? never : Key]?: Sparse<T[Key]> | undefined;
} & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Optional<Omit<ObjectMeta, 'name' | 'managedFields'>> & {
    readonly name: string;
    /** Guards the apply: it fails with a Conflict unless this is still the object's version. */
    readonly resourceVersion?: string | undefined;
  };
};

/** The status to apply, on the object that is named beside it. */
export type AppliedStatus<T extends KubeObject> = ObjectReference & {
  readonly status: T extends { readonly status?: infer S } ? Sparse<NonNullable<S>> : Readonly<Record<string, unknown>>;
  /** Guards the apply: it fails with a Conflict unless this is still the object's version. */
  readonly resourceVersion?: string | undefined;
};

/** A change to an object, in one of the three languages that the API speaks besides apply. */
export type Patch =
  /** RFC 6902: a list of operations. All of them succeed or none is done; a `test` guards the rest. */
  | { readonly json: readonly JsonPatchOperation[] }
  /** RFC 7386: what is given is set, `null` removes, lists are replaced whole. */
  | { readonly merge: object }
  /** Kubernetes' own: as merge, but lists of built-in kinds are merged by their keys. Custom kinds refuse it. */
  | { readonly strategic: object };

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

export function patchBody(patch: Patch): { readonly contentType: string; readonly body: unknown } {
  if ('json' in patch) return { contentType: 'application/json-patch+json', body: patch.json };
  if ('merge' in patch) return { contentType: 'application/merge-patch+json', body: patch.merge };
  return { contentType: 'application/strategic-merge-patch+json', body: patch.strategic };
}

/** Joins the parts of a path into a JSON pointer, escaped: `pointer('metadata', 'labels', 'a/b')`. */
export function jsonPointer(...parts: readonly (string | number)[]): string {
  return parts.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
