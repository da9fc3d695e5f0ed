/**
 * The shape of a kind: OpenAPI v3 as Kubernetes uses it, for built-ins and custom resources alike. In memory it is a graph
 * without `$ref`: a reference has been replaced by the node it points to, so nodes are shared and may form cycles
 * (JSONSchemaProps contains itself). Never serialise or deep-walk one without a guard.
 */
import type { Json } from '@capstan/kube';

export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | undefined;
  readonly format?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly nullable?: boolean | undefined;
  readonly default?: Json | undefined;
  readonly example?: Json | undefined;

  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  readonly required?: readonly string[] | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;

  readonly items?: Schema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;

  readonly enum?: readonly Json[] | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;

  readonly allOf?: readonly Schema[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly not?: Schema | undefined;

  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | undefined;
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined;
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined;
  /** How server-side apply merges a list; atomic where absent. */
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map' | undefined;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | undefined;
  /** How server-side apply merges an object; granular where absent. */
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular' | undefined;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[] | undefined;
  /** Strategic merge patch, built-ins only. */
  readonly 'x-kubernetes-patch-strategy'?: string | undefined;
  readonly 'x-kubernetes-patch-merge-key'?: string | undefined;
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}
