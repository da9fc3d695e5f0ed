/**
 * `@capstan/kube` speaks Kubernetes: object types, client, watch, apply, errors, kubeconfig. It reacts to nothing by itself;
 * that is `@capstan/controller`.
 */
export * from './clock.ts';
export * from './errors.ts';
export * from './object.ts';
export * from './resource.ts';
export * from './transport.ts';
