/** The kinds that change what the API is or who may use it: rbac, admission webhooks, CRDs, API services. */
import { defineKinds } from '../define-kind.ts';
import {
  apiServiceRules,
  clusterRoleBindingRules,
  clusterRoleRules,
  mutatingWebhookRules,
  roleBindingRules,
  roleRules,
  validatingWebhookRules,
} from '../rules/cluster-services.ts';

export const rbacKinds = defineKinds(
  { group: 'rbac.authorization.k8s.io', version: 'v1', definitions: 'io.k8s.api.rbac.v1' },
  [
    { kind: 'Role', plural: 'roles', rules: roleRules },
    { kind: 'RoleBinding', plural: 'rolebindings', rules: roleBindingRules },
    { kind: 'ClusterRole', plural: 'clusterroles', namespaced: false, rules: clusterRoleRules },
    {
      kind: 'ClusterRoleBinding',
      plural: 'clusterrolebindings',
      namespaced: false,
      rules: clusterRoleBindingRules,
    },
  ],
);

export const admissionKinds = defineKinds(
  { group: 'admissionregistration.k8s.io', version: 'v1', definitions: 'io.k8s.api.admissionregistration.v1' },
  [
    {
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      categories: ['api-extensions'],
      namespaced: false,
      rules: mutatingWebhookRules,
    },
    {
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      categories: ['api-extensions'],
      namespaced: false,
      rules: validatingWebhookRules,
    },
  ],
);

/** Its strategy is the ground only: what a CustomResourceDefinition may say is the business of `../crd`. */
export const apiextensionsKinds = defineKinds(
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    definitions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  },
  [
    {
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      namespaced: false,
      status: true,
      rules: { tracksGeneration: true, allowsUnconditionalUpdate: false },
    },
  ],
);

export const apiregistrationKinds = defineKinds(
  {
    group: 'apiregistration.k8s.io',
    version: 'v1',
    definitions: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  },
  [
    {
      kind: 'APIService',
      plural: 'apiservices',
      categories: ['api-extensions'],
      namespaced: false,
      status: true,
      rules: apiServiceRules,
    },
  ],
);
