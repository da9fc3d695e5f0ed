/**
 * `@capstan/kube` speaks Kubernetes: object types, client, watch, apply, errors, kubeconfig. It reacts to nothing by itself;
 * that is `@capstan/controller`.
 */
export { type Client, type ClientOptions, createClient } from './client/client.ts';
export type * from './client/options.ts';
export { withoutManagedFields } from './client/response.ts';
export { defaultRetryPolicy, type RetryMode, type RetryPolicy } from './client/retry.ts';
export { requestChannel } from './client/send.ts';
export {
  type AppliedObject,
  type AppliedStatus,
  type JsonPatchOperation,
  jsonPointer,
  type NewObject,
  type ObjectReference,
  type Patch,
  type Sparse,
} from './client/shapes.ts';
export type { Scale, SubresourceClient } from './client/subresource.ts';
export type { Watch } from './client/watch.ts';
export * from './clock.ts';
export { createDiscovery, type Discovery, type DiscoveryOptions } from './discovery/discovery.ts';
export type { DiscoveredResource } from './discovery/document.ts';
export * from './errors.ts';
export * from './http/credentials.ts';
export type { TlsSettings } from './http/dispatcher.ts';
export { createHttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export * from './json.ts';
export type { MissingFields } from './jsonpath/evaluate.ts';
export { type JsonPath, jsonPathExpression, parseJsonPath } from './jsonpath/jsonpath.ts';
export { JsonPathError } from './jsonpath/nodes.ts';
export * from './kinds/apiextensions.ts';
export * from './kinds/apps.ts';
export * from './kinds/batch.ts';
export * from './kinds/coordination.ts';
export * from './kinds/core.ts';
export * from './kinds/network.ts';
export type * from './kinds/pod-spec.ts';
export * from './kinds/policy.ts';
export * from './kinds/rbac.ts';
export * from './kinds/reviews.ts';
export * from './kinds/storage.ts';
export type { ObjectStatus } from './kstatus/result.ts';
export { computeStatus } from './kstatus/status.ts';
export { type Connection, type ConnectOptions, connect } from './kubeconfig/connect.ts';
export { type ResolvedContext, resolveContext } from './kubeconfig/context.ts';
export type * from './kubeconfig/document.ts';
export * from './kubeconfig/errors.ts';
export * from './kubeconfig/in-cluster.ts';
export {
  type Environment,
  kubeconfigFiles,
  type LoadOptions,
  loadKubeconfig,
  mergeKubeconfigs,
} from './kubeconfig/load.ts';
export { parseKubeconfig } from './kubeconfig/parse.ts';
export { proxyFromEnvironment } from './kubeconfig/proxy.ts';
export { type KubeconfigTransportOptions, transportFromKubeconfig } from './kubeconfig/transport.ts';
export { type KubeconfigEntry, kubeconfigText } from './kubeconfig/write.ts';
export * from './names.ts';
export * from './object.ts';
export * from './quantity.ts';
export * from './resource.ts';
export * from './selectors/field-selector.ts';
export * from './selectors/label-selector.ts';
export { type LabelOperator, type Labels, type Requirement, SelectorError } from './selectors/requirement.ts';
export * from './transport.ts';
export {
  type Authority,
  type AuthoritySettings,
  type CertificateAndKey,
  type CertificateRequest,
  certificateExpiry,
  createAuthority,
  loadAuthority,
} from './x509/authority.ts';
export type { CertificateUsage, DistinguishedName } from './x509/certificate.ts';
