/** The order in which kinds are installed and uninstalled. */

import type { HelmVersion } from '../version.ts';

const webhooks = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

const kinds = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

/** Services go early when a release is removed, so that nothing is sent to Pods on their way out. */
const uninstalled = [
  'APIService',
  'Ingress',
  'IngressClass',
  'Service',
  'CronJob',
  'Job',
  'StatefulSet',
  'HorizontalPodAutoscaler',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
  'DaemonSet',
  ...kinds.slice(0, kinds.indexOf('Service')).reverse(),
];

type Order = ReadonlyMap<string, number>;

const orderOf = (names: readonly string[]): Order => new Map(names.map((name, index) => [name, index]));

const installOrders: Readonly<Record<HelmVersion, Order>> = {
  3: orderOf(kinds),
  4: orderOf([...kinds, ...webhooks]),
};

/** Validating webhooks go first: they must not stand in the way of removing the rest. */
const uninstallOrders: Readonly<Record<HelmVersion, Order>> = {
  3: orderOf(uninstalled),
  4: orderOf([...webhooks.toReversed(), ...uninstalled]),
};

function compare(order: Order, left: string, right: string): number {
  const first = order.get(left);
  const second = order.get(right);
  if (first !== undefined && second !== undefined) return first - second;
  if (first === undefined && second === undefined) return left < right ? -1 : left > right ? 1 : 0;
  return first === undefined ? 1 : -1;
}

/** For a stable sort: known kinds in their order, unknown ones after them by name. */
export function compareForInstall(left: string, right: string, helm: HelmVersion = 4): number {
  return compare(installOrders[helm], left, right);
}

export function compareForUninstall(left: string, right: string, helm: HelmVersion = 4): number {
  return compare(uninstallOrders[helm], left, right);
}
