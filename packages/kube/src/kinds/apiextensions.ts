/** `apiextensions.k8s.io/v1`: kinds of one's own. */
import type { Condition, KubeObject } from '../object.ts';
import { resource } from '../resource.ts';

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: CustomResourceNames;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CustomResourceVersion[];
    readonly conversion?: {
      readonly strategy: 'None' | 'Webhook';
      readonly webhook?: Readonly<Record<string, unknown>>;
    };
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: {
    readonly conditions?: readonly Partial<Condition>[];
    readonly acceptedNames?: CustomResourceNames;
    readonly storedVersions?: readonly string[];
  };
}

export interface CustomResourceNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchemaProps };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** 0 is always shown; higher ones with `-o wide`. */
  readonly priority?: number;
}

/** The part of OpenAPI that a structural schema may use. */
export interface JsonSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchemaProps;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchemaProps>>;
  readonly additionalProperties?: JsonSchemaProps | boolean;
  readonly allOf?: readonly JsonSchemaProps[];
  readonly anyOf?: readonly JsonSchemaProps[];
  readonly oneOf?: readonly JsonSchemaProps[];
  readonly not?: JsonSchemaProps;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A rule in CEL over the value that it stands on (`self`, `oldSelf`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export const customResourceDefinitions = resource<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
});
