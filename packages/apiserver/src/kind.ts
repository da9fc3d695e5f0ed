/**
 * What the server has to know about a kind to serve it. Built-ins come from a table (`builtins/`), custom resources from
 * their CustomResourceDefinition (`crd/`); the request path below treats both alike.
 */
import type { Clock } from '@capstan/kube';
import type { CrdConversion, PrinterColumn } from './crd/types.ts';
import type { FieldError } from './field-error.ts';
import type { Schema } from './schema/schema.ts';

/** An object that is being worked on: mutable plain JSON. What is stored is frozen. */
export interface Draft {
  apiVersion?: string;
  kind?: string;
  metadata: DraftMeta;
  // biome-ignore lint/suspicious/noExplicitAny: a draft is any JSON object; kinds narrow what they touch
  [field: string]: any;
}

export interface DraftMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  [field: string]: any;
}

/** A stored object: frozen plain JSON. */
// biome-ignore lint/suspicious/noExplicitAny: readers narrow what they read
export type Stored = Readonly<Record<string, any>> & { readonly metadata: Readonly<DraftMeta> };

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface StrategyContext {
  readonly clock: Clock;
  /** Of the request; undefined for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  /** Gives addresses to Services; they stay without where absent. */
  readonly serviceAddresses?: ServiceAddresses | undefined;
}

/** What a cluster hands out to Services. Each call gives one that is free; who asks for a certain one names it. */
export interface ServiceAddresses {
  /** An address, or why the wanted one cannot be had. */
  allocateClusterIP(wanted?: string): string | AllocationProblem;
  allocateNodePort(wanted?: number): number | AllocationProblem;
}

export interface AllocationProblem {
  /** In Kubernetes' words, e.g. `failed to allocate IP 10.96.0.1: provided IP is already allocated`. */
  readonly problem: string;
}

/** A served version of a kind. */
export interface KindDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** From a CustomResourceDefinition: no strategic merge patch, no update without a resourceVersion. */
  readonly custom: boolean;
  /**
   * Objects of all versions of a kind live under one storage key. For most kinds `{ group, plural, version }` of this very
   * definition; for a version that is not the stored one (`autoscaling/v1`, `events.k8s.io/v1`), those of the stored one.
   */
  readonly storage: { readonly group: string; readonly plural: string; readonly version: string };
  /** Of the stored version, where that is another one: what is stored has its fields and defaults. */
  readonly storageSchema?: Schema | undefined;
  /** Who converts between the versions, where the CustomResourceDefinition leaves that to a webhook. */
  readonly conversionWebhook?: CrdConversion | undefined;
  /** Said to whoever uses this version, where it is on its way out. */
  readonly deprecation?: string | undefined;
  /** Between this version and the stored one; absent where only apiVersion (and kind) change. Both take and give a draft. */
  readonly fromStorage?: ((object: Stored) => Draft) | undefined;
  readonly toStorage?: ((draft: Draft) => Draft) | undefined;
  /** Of the whole object, metadata included. A getter may build it on first use. */
  readonly schema: Schema;
  /** What an object of a built-in kind holds before anything was set: Go structs are never quite empty. */
  readonly empty?: Readonly<Record<string, unknown>> | undefined;
  readonly subresources: Subresources;
  /** What a table of a custom resource shows beside the name; its age where absent. */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** Field selectors beyond metadata.name and metadata.namespace: path → value of an object (always a string, '' when unset). */
  readonly selectableFields: Readonly<Record<string, (object: Stored) => string>>;
  readonly strategy: Strategy;
}

export interface Subresources {
  readonly status?: boolean;
  readonly scale?: ScaleSubresource | undefined;
  /** Served by handlers of their own: `log`, `exec`, `binding`, `eviction`, `token`, `finalize`, `approval`, … */
  readonly other?: readonly string[];
}

export interface ScaleSubresource {
  /** JSON paths without the leading dot: `spec.replicas`. */
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/**
 * The rules of a kind, pure. Drafts come in decoded, pruned and with metadata already normalised by the server (name,
 * namespace, uid, timestamps, generation of a new object = 1 where `tracksGeneration`); validation of metadata is the server's.
 */
export interface Strategy {
  /** PUT without a resourceVersion is allowed (most built-ins), refused (custom resources, some built-ins). */
  readonly allowsUnconditionalUpdate: boolean;
  /** PUT and apply of a missing object create it (Lease, Event, …). Apply always may create, except through a subresource. */
  readonly allowsCreateOnUpdate: boolean;
  /** Sets metadata.generation: spec changes (anything but metadata and status) and the first deletionTimestamp count it up. */
  readonly tracksGeneration: boolean;
  /** Checks `metadata.name`; gives what is wrong with it in Kubernetes' words. DNS-1123 subdomain where absent. */
  readonly validateName?: ((name: string, isPrefix: boolean) => readonly string[]) | undefined;
  /** Fills what Kubernetes fills when it decodes an object of this version. Runs on every write, of status too. */
  default(draft: Draft): void;
  /** Before a create: drops status and other fields that a user cannot set. */
  prepareForCreate(draft: Draft, context: StrategyContext): void;
  /** Before an update through the main endpoint: takes status over from the old object, and so on. */
  prepareForUpdate(draft: Draft, old: Stored, context: StrategyContext): void;
  /** Before an update through /status: takes everything but status over (metadata is partly the server's business). */
  prepareForStatusUpdate(draft: Draft, old: Stored, context: StrategyContext): void;
  validate(object: Draft): readonly FieldError[];
  validateUpdate(object: Draft, old: Stored): readonly FieldError[];
  validateStatusUpdate(object: Draft, old: Stored): readonly FieldError[];
  /** For the Warning header. */
  warnings?(object: Draft, old: Stored | undefined): readonly string[];
  /** Top-level field paths that a write through this endpoint cannot own: `status` on the main one, `spec` on /status. */
  resetFields(subresource: '' | 'status'): readonly (readonly string[])[];
  /** Seconds of graceful deletion for this object, 0 for at once. Only Pods have any. */
  gracePeriodSeconds?(object: Stored, requested: number | undefined): number;
}
