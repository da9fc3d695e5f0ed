/** The same addresses in the older form: Endpoints, one object a Service. Pure. */
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from '@capstan/kube';
import { addressOf, addressTypeOf, hostnameOf, isHeadless, isReady, portsOf } from './pod-endpoints.ts';
import { portsKey } from './slices.ts';

/** More do not fit into one object that everybody watches; those who need all of them read EndpointSlices. */
export const MOST_ADDRESSES = 1_000;

/** Addresses with the same ports, those that take requests first. */
export function subsetsOf(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const { publishNotReadyAddresses = false, ports: servicePorts = [] } = service.spec ?? {};
  const groups = new Map<
    string,
    { ports: readonly EndpointPort[]; ready: EndpointAddress[]; others: EndpointAddress[] }
  >();
  for (const pod of pods) {
    const ip = addressOf(pod, addressTypeOf(service));
    if (ip === undefined) continue;
    if (pod.metadata.deletionTimestamp !== undefined && !publishNotReadyAddresses) continue;
    const ports = portsOf(pod, service).map(({ name, ...rest }) => (name ? { name, ...rest } : rest));
    if (ports.length === 0 && !(servicePorts.length === 0 && isHeadless(service))) continue;
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, ready: [], others: [] };
    const isIn = publishNotReadyAddresses || isReady(pod);
    (isIn ? group.ready : group.others).push(addressEntry(pod, ip, service));
    groups.set(key, group);
  }
  return [...groups.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { ports, ready, others }]) => ({
      ...(ready.length > 0 && { addresses: ready.sort(byAddress) }),
      ...(others.length > 0 && { notReadyAddresses: others.sort(byAddress) }),
      ...(ports.length > 0 && { ports }),
    }));
}

/** As many as fit, those that take requests before those that do not; undefined if all fit. */
export function truncated(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const count = (of: (subset: EndpointSubset) => readonly unknown[] | undefined): number =>
    subsets.reduce((sum, subset) => sum + (of(subset)?.length ?? 0), 0);
  const ready = count(({ addresses }) => addresses);
  if (ready + count(({ notReadyAddresses }) => notReadyAddresses) <= MOST_ADDRESSES) return undefined;
  let room = MOST_ADDRESSES;
  const take = (addresses: readonly EndpointAddress[] = []): readonly EndpointAddress[] => {
    const taken = addresses.slice(0, room);
    room -= taken.length;
    return taken;
  };
  const kept = subsets.map(subset => ({ subset, addresses: take(subset.addresses) }));
  return kept
    .map(({ subset: { notReadyAddresses, ports }, addresses }) => {
      const others = take(notReadyAddresses);
      return {
        ...(addresses.length > 0 && { addresses }),
        ...(others.length > 0 && { notReadyAddresses: others }),
        ...(ports !== undefined && { ports }),
      };
    })
    .filter(({ addresses, notReadyAddresses }) => addresses !== undefined || notReadyAddresses !== undefined);
}

function addressEntry(pod: Pod, ip: string, service: Service): EndpointAddress {
  const { namespace, name, uid } = pod.metadata;
  const hostname = hostnameOf(pod, service);
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
    targetRef: { kind: 'Pod', ...(namespace && { namespace }), name, ...(uid && { uid }) },
  };
}

const byAddress = (left: EndpointAddress, right: EndpointAddress): number =>
  left.ip === right.ip
    ? (left.targetRef?.uid ?? '') < (right.targetRef?.uid ?? '')
      ? -1
      : 1
    : left.ip < right.ip
      ? -1
      : 1;
