/** `@capstan/apiserver` is the Kubernetes API in one Node process: store, versions, watch, server-side apply, CRDs. */
export type { KindDefinition } from './kind.ts';
