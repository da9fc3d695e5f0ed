import type { EndpointSlice, Ingress, KubeObject, NetworkPolicy, Service, Sparse } from '@capstan/kube';
import { labelsText, selectorText } from './labels.ts';
import { AGE, fieldOf, NAME, type Printer } from './printer.ts';
import { shortened } from './shortened.ts';

export const servicePrinter: Printer<Service> = {
  columns: [
    NAME,
    { name: 'Type', description: fieldOf('core.v1.ServiceSpec', 'type'), cell: ({ spec }) => spec?.type ?? '' },
    {
      name: 'Cluster-IP',
      description: fieldOf('core.v1.ServiceSpec', 'clusterIP'),
      cell: ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>',
    },
    { name: 'External-IP', description: fieldOf('core.v1.ServiceSpec', 'externalIPs'), cell: externalIP },
    { name: 'Port(s)', description: fieldOf('core.v1.ServiceSpec', 'ports'), cell: servicePorts },
    AGE,
    {
      name: 'Selector',
      wide: true,
      description: fieldOf('core.v1.ServiceSpec', 'selector'),
      cell: ({ spec }) => labelsText(spec?.selector),
    },
  ],
};

function externalIP({ spec, status }: Sparse<Service>): string {
  const given = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return given.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancerAddresses(status), ...given].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Where a load balancer can be reached, each address once and in order. */
function balancerAddresses(status: Sparse<Service>['status'] | Sparse<Ingress>['status']): readonly string[] {
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses)].filter(address => address !== '').sort();
}

function servicePorts({ spec }: Sparse<Service>): string {
  const ports = (spec?.ports ?? []).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.join(',') || '<none>';
}

interface Endpoints extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

export const endpointsPrinter: Printer<Endpoints> = {
  columns: [
    NAME,
    {
      name: 'Endpoints',
      description: fieldOf('core.v1.Endpoints', 'subsets'),
      cell: ({ subsets = [] }) => (subsets.length === 0 ? '<none>' : shortened(subsets.flatMap(subsetAddresses))),
    },
    AGE,
  ],
};

/** Of each port all addresses; the addresses alone where there is no port, as behind some headless Services. */
function subsetAddresses(subset: NonNullable<Sparse<Endpoints>['subsets']>[number]): readonly string[] {
  const { addresses = [], ports = [] } = subset;
  if (ports.length === 0) return addresses.map(({ ip = '' }) => ip);
  return ports.flatMap(({ port }) => addresses.map(({ ip = '' }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
}

export const endpointSlicePrinter: Printer<EndpointSlice> = {
  columns: [
    NAME,
    {
      name: 'AddressType',
      description: fieldOf('discovery.v1.EndpointSlice', 'addressType'),
      cell: ({ addressType }) => addressType ?? '',
    },
    {
      name: 'Ports',
      description: fieldOf('discovery.v1.EndpointSlice', 'ports'),
      cell: ({ ports }) => shortened((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))) || '<unset>',
    },
    {
      name: 'Endpoints',
      description: fieldOf('discovery.v1.EndpointSlice', 'endpoints'),
      cell: ({ endpoints }) => shortened((endpoints ?? []).flatMap(({ addresses = [] }) => addresses)) || '<unset>',
    },
    AGE,
  ],
};

export const ingressPrinter: Printer<Ingress> = {
  columns: [
    NAME,
    {
      name: 'Class',
      description: 'The name of the IngressClass resource that should be used for additional configuration',
      cell: ({ spec }) => spec?.ingressClassName ?? '<none>',
    },
    {
      name: 'Hosts',
      description: 'Hosts that incoming requests are matched against before the ingress rule',
      cell: ingressHosts,
    },
    {
      name: 'Address',
      description: 'Address is a list containing ingress points for the load-balancer',
      cell: ({ status }) => balancerAddresses(status).join(','),
    },
    {
      name: 'Ports',
      description: 'Ports of TLS configurations that open',
      cell: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
    },
    AGE,
  ],
};

const MOST_HOSTS = 3;

/** Rules without a host are not shown, but once the cell is full they count among those that are left out. */
function ingressHosts({ spec }: Sparse<Ingress>): string {
  const rules = spec?.rules ?? [];
  const named = rules.flatMap(({ host }, index) => (host ? [{ host, index }] : []));
  if (named.length === 0) return '*';
  const shown = named.slice(0, MOST_HOSTS);
  const text = shown.map(({ host }) => host).join(',');
  const isCut = shown.length === MOST_HOSTS && shown.at(-1)!.index < rules.length - 1;
  return isCut ? `${text} + ${rules.length - MOST_HOSTS} more...` : text;
}

export const networkPolicyPrinter: Printer<NetworkPolicy> = {
  columns: [
    NAME,
    {
      name: 'Pod-Selector',
      description: fieldOf('networking.v1.NetworkPolicySpec', 'podSelector'),
      cell: ({ spec }) => selectorText(spec?.podSelector),
    },
    AGE,
  ],
};
