/** What Kubernetes fills in for the kinds of the smaller groups. */
import type { Draft } from '../../kind.ts';
import { ensure, fill, listOf, type Tree } from '../tree.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';

export function defaultRoleBinding(draft: Draft): void {
  fill(ensure(draft, 'roleRef'), 'apiGroup', RBAC_GROUP);
  if (draft['roleRef'].apiGroup === '') draft['roleRef'].apiGroup = RBAC_GROUP;
  for (const subject of listOf(draft, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, 'apiGroup', RBAC_GROUP);
  }
}

export function defaultPriorityClass(draft: Draft): void {
  fill(draft, 'preemptionPolicy', 'PreemptLowerPriority');
}

export function defaultStorageClass(draft: Draft): void {
  fill(draft, 'reclaimPolicy', 'Delete');
  fill(draft, 'volumeBindingMode', 'Immediate');
}

export function defaultEndpointSlice(draft: Draft): void {
  for (const port of listOf(draft, 'ports')) {
    fill(port, 'name', '');
    fill(port, 'protocol', 'TCP');
  }
}

export function defaultNetworkPolicy(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  if (spec['policyTypes'] === undefined) {
    spec['policyTypes'] = listOf(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  }
  for (const rule of [...listOf(spec, 'ingress'), ...listOf(spec, 'egress')]) {
    for (const port of listOf(rule, 'ports')) fill(port, 'protocol', 'TCP');
  }
}

export function defaultValidatingWebhooks(draft: Draft): void {
  for (const webhook of listOf(draft, 'webhooks')) defaultWebhook(webhook);
}

export function defaultMutatingWebhooks(draft: Draft): void {
  for (const webhook of listOf(draft, 'webhooks')) {
    defaultWebhook(webhook);
    fill(webhook, 'reinvocationPolicy', 'Never');
  }
}

function defaultWebhook(webhook: Tree): void {
  fill(webhook, 'failurePolicy', 'Fail');
  fill(webhook, 'matchPolicy', 'Equivalent');
  fill(webhook, 'namespaceSelector', {});
  fill(webhook, 'objectSelector', {});
  fill(webhook, 'timeoutSeconds', 10);
  if (webhook['clientConfig']?.service) fill(webhook['clientConfig'].service, 'port', 443);
  for (const rule of listOf(webhook, 'rules')) fill(rule, 'scope', '*');
}

export function defaultApiService(draft: Draft): void {
  const service = draft['spec']?.service as Tree | undefined;
  if (service) fill(service, 'port', 443);
}
