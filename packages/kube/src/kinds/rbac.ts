/** `rbac.authorization.k8s.io/v1`: who may what. */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleReference {
  readonly apiGroup: string;
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
}

export interface ClusterRole extends Role {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

export interface RoleBinding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleReference;
}

const group = 'rbac.authorization.k8s.io';
const version = 'v1';

export const roles = resource<Role>({ group, version, kind: 'Role', plural: 'roles', namespaced: true });
export const clusterRoles = resource<ClusterRole>({
  group,
  version,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
});
export const roleBindings = resource<RoleBinding>({
  group,
  version,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
});
export const clusterRoleBindings = resource<RoleBinding>({
  group,
  version,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
});
