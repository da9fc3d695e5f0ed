/** What Kubernetes fills in for a Pod, and for the Pod in a template. */
import type { Draft } from '../../kind.ts';
import { ensure, fill, listOf, type Tree } from '../tree.ts';
import { defaultContainer } from './container.ts';
import { defaultVolume } from './volume.ts';

/** Of a Pod or of a template alike. */
export function defaultPodSpec(spec: Tree): void {
  if (spec['serviceAccountName'] === undefined && spec['serviceAccount'] !== undefined) {
    spec['serviceAccountName'] = spec['serviceAccount'];
  }
  // The old name of the field goes on saying what the new one says.
  if (spec['serviceAccountName'] !== undefined) spec['serviceAccount'] = spec['serviceAccountName'];
  fill(spec, 'dnsPolicy', 'ClusterFirst');
  fill(spec, 'restartPolicy', 'Always');
  fill(spec, 'securityContext', {});
  fill(spec, 'terminationGracePeriodSeconds', 30);
  fill(spec, 'schedulerName', 'default-scheduler');
  for (const volume of listOf(spec, 'volumes')) defaultVolume(volume);
  for (const container of allContainers(spec)) defaultContainer(container);
}

/** Of the template of a workload: `spec.template`. */
export function defaultTemplate(template: Tree | undefined): void {
  if (template !== undefined) defaultPodSpec(ensure(template, 'spec'));
}

/** Of a Pod itself, which gets more than a template does. */
export function defaultPod(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  defaultPodSpec(spec);
  if (spec['terminationGracePeriodSeconds'] < 0) spec['terminationGracePeriodSeconds'] = 1;
  fill(spec, 'enableServiceLinks', true);
  for (const container of [...listOf(spec, 'containers'), ...listOf(spec, 'initContainers')]) {
    requestLimits(container);
    if (spec['hostNetwork']) openPortsOnHost(container);
  }
  defaultPodIPs(ensure(draft, 'status'));
}

export function allContainers(spec: Tree): Tree[] {
  return [...listOf(spec, 'initContainers'), ...listOf(spec, 'containers'), ...listOf(spec, 'ephemeralContainers')];
}

/** A limit without a request requests the limit. */
function requestLimits(container: Tree): void {
  const limits = container['resources']?.limits as Record<string, string> | undefined;
  if (limits === undefined) return;
  container['resources'].requests = { ...limits, ...container['resources'].requests };
}

function openPortsOnHost(container: Tree): void {
  for (const port of listOf(container, 'ports')) fill(port, 'hostPort', port['containerPort']);
}

/** `podIP` is the first of `podIPs`; whoever sets one sets the other, and the older field wins. */
function defaultPodIPs(status: Tree): void {
  const first = status['podIPs']?.[0]?.ip as string | undefined;
  if (status['podIP'] === undefined) {
    if (first !== undefined) status['podIP'] = first;
  } else if (first !== status['podIP']) status['podIPs'] = [{ ip: status['podIP'] }];
}
