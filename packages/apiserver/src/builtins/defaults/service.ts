/** What Kubernetes fills in for a Service when it decodes one; addresses are given when it is created. */
import type { Draft } from '../../kind.ts';
import { ensure, fill, listOf } from '../tree.ts';

const THREE_HOURS = 10800;

export function defaultService(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    if (spec['sessionAffinityConfig']?.clientIP?.timeoutSeconds === undefined) {
      spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: THREE_HOURS } };
    }
  }
  fill(spec, 'type', 'ClusterIP');
  for (const port of listOf(spec, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'];
    }
  }
  if (isExternal(spec)) fill(spec, 'externalTrafficPolicy', 'Cluster');
  if (spec['type'] !== 'ExternalName') fill(spec, 'internalTrafficPolicy', 'Cluster');
  if (spec['type'] !== 'LoadBalancer') return;
  fill(spec, 'allocateLoadBalancerNodePorts', true);
  for (const ingress of listOf(draft['status']?.loadBalancer, 'ingress')) {
    if (ingress['ip']) fill(ingress, 'ipMode', 'VIP');
  }
}

/** Reached from outside the cluster: by node port, load balancer or an address of its own. */
export function isExternal(spec: { readonly type?: string; readonly externalIPs?: readonly string[] }): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true;
  return spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0;
}
