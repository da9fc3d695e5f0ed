/** CustomResourceDefinition (apiextensions.k8s.io/v1), as far as the server reads it. */
import type { Condition, Json } from '@capstan/kube';
import type { DraftMeta, Stored } from '../kind.ts';
import type { Schema } from '../schema/schema.ts';

export interface CustomResourceDefinition {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Readonly<DraftMeta>;
  readonly spec: CrdSpec;
  readonly status?: CrdStatus;
}

/** Stored objects are untyped; a stored CRD has been decoded and validated as one. */
export type AnyCrd = CustomResourceDefinition | Stored;

export const asCrd = (crd: AnyCrd): CustomResourceDefinition => crd as CustomResourceDefinition;

export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface CrdNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: CrdSubresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CrdSubresources {
  readonly status?: object;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface CrdConversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM. */
  readonly caBundle?: string;
}

export interface CrdStatus {
  readonly conditions: readonly CrdCondition[] | null;
  readonly acceptedNames: CrdNames;
  readonly storedVersions: readonly string[];
}

export type CrdCondition = Condition;

/** A schema as a user may write it, with what JSON Schema knows and a CRD must not use. */
export interface JsonSchema
  extends Omit<Schema, 'properties' | 'additionalProperties' | 'items' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'type'> {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  readonly items?: JsonSchema | readonly JsonSchema[] | undefined;
  readonly allOf?: readonly JsonSchema[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly not?: JsonSchema | undefined;
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly additionalItems?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, Json>>;
  readonly externalDocs?: Json;
}
