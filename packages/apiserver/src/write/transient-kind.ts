/** Kinds that requests carry and nothing stores: a Scale, a Binding, an Eviction, a review. A shape, and no rules of its own. */
import { schemaOf } from '../builtins/index.ts';
import type { KindDefinition, Strategy } from '../kind.ts';

export interface TransientKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The name of its shape: `io.k8s.api.autoscaling.v1.Scale`. */
  readonly definition: string;
  readonly namespaced?: boolean;
}

export function transientKind({ definition, namespaced = true, ...names }: TransientKind): KindDefinition {
  return {
    ...names,
    namespaced,
    listKind: `${names.kind}List`,
    singular: names.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: [],
    custom: false,
    storage: names,
    get schema() {
      return schemaOf(definition);
    },
    subresources: {},
    selectableFields: {},
    strategy: NO_RULES,
  };
}

const nothing = (): readonly never[] => [];

const NO_RULES: Strategy = {
  allowsUnconditionalUpdate: true,
  allowsCreateOnUpdate: false,
  tracksGeneration: false,
  default: () => {},
  prepareForCreate: () => {},
  prepareForUpdate: () => {},
  prepareForStatusUpdate: () => {},
  validate: nothing,
  validateUpdate: nothing,
  validateStatusUpdate: nothing,
  resetFields: nothing,
};
