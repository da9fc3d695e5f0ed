/** The kinds that Kubernetes has of its own: their shapes, defaults, validation and strategies. */
export { fieldDescription, typeDescription } from './descriptions.ts';
export { builtinKinds } from './kinds.ts';
export { definitionOf, kubernetesVersion, type RawDefinition, rawDefinitions, schemaOf } from './schema-graph.ts';
export { type VirtualKind, virtualKinds } from './virtual-kinds.ts';
