/** What Kubernetes fills in for the smaller kinds of `v1`. */
import type { Draft } from '../../kind.ts';
import { ensure, fill, listOf, type Tree } from '../tree.ts';

export function defaultNamespace(draft: Draft): void {
  const { name } = draft.metadata;
  if (name) draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name };
  fill(ensure(draft, 'status'), 'phase', 'Active');
}

export function defaultSecret(draft: Draft): void {
  fill(draft, 'type', 'Opaque');
  const plain = draft['stringData'] as Record<string, string> | undefined;
  if (plain === undefined) return;
  // Written, never read: it is merged into data, where it wins.
  const encoded = Object.entries(plain).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  draft['data'] = { ...draft['data'], ...Object.fromEntries(encoded) };
  delete draft['stringData'];
}

export function defaultPersistentVolume(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(ensure(draft, 'status'), 'phase', 'Pending');
  fill(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  fill(spec, 'volumeMode', 'Filesystem');
  if (spec['hostPath']) fill(spec['hostPath'], 'type', '');
}

export function defaultPersistentVolumeClaim(draft: Draft): void {
  fill(ensure(draft, 'spec'), 'volumeMode', 'Filesystem');
  fill(ensure(draft, 'status'), 'phase', 'Pending');
}

export function defaultNode(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  // `podCIDR` is the first of `podCIDRs`; the older field wins.
  if (spec['podCIDR'] !== undefined && spec['podCIDRs']?.[0] !== spec['podCIDR']) spec['podCIDRs'] = [spec['podCIDR']];
  const status = ensure(draft, 'status');
  if (status['capacity'] !== undefined) fill(status, 'allocatable', { ...status['capacity'] });
}

export function defaultEndpoints(draft: Draft): void {
  for (const subset of listOf(draft, 'subsets')) {
    for (const port of listOf(subset, 'ports')) fill(port, 'protocol', 'TCP');
  }
}

export function defaultLimitRange(draft: Draft): void {
  for (const item of listOf(draft['spec'], 'limits')) if (item['type'] === 'Container') defaultContainerLimits(item);
}

/** What a container may use by default is its maximum; what it requests by default is that, or else its minimum. */
function defaultContainerLimits(item: Tree): void {
  const limits = { ...item['max'], ...item['default'] };
  const requests = { ...item['min'], ...limits, ...item['defaultRequest'] };
  if (Object.keys(limits).length > 0) item['default'] = limits;
  if (Object.keys(requests).length > 0) item['defaultRequest'] = requests;
}
