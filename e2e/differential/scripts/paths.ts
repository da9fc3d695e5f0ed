/** Paths of resources in the script's own Namespace. */
export const configmaps = '/api/v1/namespaces/$ns/configmaps';
export const pods = '/api/v1/namespaces/$ns/pods';
export const services = '/api/v1/namespaces/$ns/services';
export const secrets = '/api/v1/namespaces/$ns/secrets';
export const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
export const replicasets = '/apis/apps/v1/namespaces/$ns/replicasets';
export const statefulsets = '/apis/apps/v1/namespaces/$ns/statefulsets';
export const daemonsets = '/apis/apps/v1/namespaces/$ns/daemonsets';
export const jobs = '/apis/batch/v1/namespaces/$ns/jobs';
export const cronjobs = '/apis/batch/v1/namespaces/$ns/cronjobs';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/$ns/leases';
export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const core = (plural: string): string => `/api/v1/namespaces/$ns/${plural}`;
export const inGroup = (groupVersion: string, plural: string): string =>
  `/apis/${groupVersion}/namespaces/$ns/${plural}`;
