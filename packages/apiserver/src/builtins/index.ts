/** The kinds that Kubernetes has of its own: their shapes, defaults, validation and strategies. */
export { decodeErrors } from './decode-errors.ts';
export { fieldDescription, typeDescription } from './descriptions.ts';
export { builtinKinds } from './kinds.ts';
export { admitPod, admitPodUpdate } from './pod-admission.ts';
export {
  boundPod,
  prepareEphemeralContainers,
  validateBinding,
  validateEphemeralContainersUpdate,
} from './pod-subresources.ts';
export { definitionOf, kubernetesVersion, type RawDefinition, rawDefinitions, schemaOf } from './schema-graph.ts';
export { type AddressRange, allocatorOf, DEFAULT_RANGE } from './service-addresses.ts';
export { type VirtualKind, virtualKinds } from './virtual-kinds.ts';
