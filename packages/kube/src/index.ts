/**
 * `@capstan/kube` speaks Kubernetes: object types, client, watch, apply, errors, kubeconfig. It reacts to nothing by itself;
 * that is `@capstan/controller`.
 */
export * from './clock.ts';
export * from './errors.ts';
export * from './json.ts';
export * from './names.ts';
export * from './object.ts';
export * from './quantity.ts';
export * from './resource.ts';
export * from './selectors/field-selector.ts';
export * from './selectors/label-selector.ts';
export { type LabelOperator, type Labels, type Requirement, SelectorError } from './selectors/requirement.ts';
export * from './transport.ts';
