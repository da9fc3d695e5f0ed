/** What a Pod is to a Service: an address, ports, and whether it takes requests. */
import type { CacheChange } from '@capstan/controller';
import {
  type Endpoint,
  type EndpointPort,
  labelMatcher,
  type Node,
  type Pod,
  type Service,
  type ServicePort,
} from '@capstan/kube';

export type AddressType = 'IPv4' | 'IPv6';

/** Selected by the Service of this spec? One without a selector selects nothing: its endpoints are someone else's. */
export function selectsPod({ spec }: Service, { metadata }: Pod): boolean {
  return hasSelector(spec) && labelMatcher(spec.selector).matches(metadata.labels);
}

type Spec = NonNullable<Service['spec']>;

/** Services whose endpoints are kept for them. */
export function hasSelector(spec: Service['spec']): spec is Spec & { selector: Record<string, string> } {
  return spec?.selector !== undefined && spec.type !== 'ExternalName';
}

/** The family of the Service's own address, which its endpoints share. */
export const addressTypeOf = ({ spec }: Service): AddressType => (spec?.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4');

export const isHeadless = ({ spec }: Service): boolean => !spec?.clusterIP || spec.clusterIP === 'None';

/** Its address of this family, while it has one and has not ended. */
export function addressOf({ status }: Pod, type: AddressType): string | undefined {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  return status?.podIPs?.find(({ ip }) => ip.includes(':') === (type === 'IPv6'))?.ip;
}

export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** `ready` is for those that send requests, `serving` and `terminating` for those that let old connections end. */
export function endpointOf(pod: Pod, address: string, service: Service, node: Node | undefined): Endpoint {
  const { namespace, name, uid } = pod.metadata;
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node && zoneOf(node);
  const hostname = hostnameOf(pod, service);
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
    targetRef: {
      kind: 'Pod',
      ...(namespace !== undefined && { namespace }),
      name,
      ...(uid !== undefined && { uid }),
    },
  };
}

export const zoneOf = ({ metadata }: Node): string | undefined => metadata.labels?.['topology.kubernetes.io/zone'];

export function hostnameOf({ spec }: Pod, service: Service): string | undefined {
  return spec.hostname && spec.subdomain === service.metadata.name ? spec.hostname : undefined;
}

/** The Service's ports as this Pod has them. A port that it names and the Pod does not have is left out. */
export function portsOf(pod: Pod, { spec }: Service): EndpointPort[] {
  return (spec?.ports ?? []).flatMap(servicePort => {
    const port = targetOf(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function targetOf({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  const target = targetPort ?? port;
  if (typeof target === 'number') return target;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...spec.containers, ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find(each => each.name === target && (each.protocol ?? 'TCP') === protocol)?.containerPort;
}

/** Most changes of a Pod are nothing to its Services. */
export function changesEndpoints(change: CacheChange<Pod>): boolean {
  return change.type !== 'updated' || aspect(change.previous) !== aspect(change.object);
}

const aspect = (pod: Pod): string =>
  JSON.stringify([
    pod.metadata.labels,
    pod.metadata.deletionTimestamp !== undefined,
    pod.spec.nodeName,
    pod.status?.phase,
    pod.status?.podIPs,
    isReady(pod),
  ]);
