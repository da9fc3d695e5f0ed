/** The environment variables that tell a container where Services are, in the form that Docker links once had. */
import type { Service } from '@capstan/kube';

/** Where Pods find the API server. */
export interface ApiAddress {
  readonly host: string;
  readonly port: number;
}

/** Variables for every Service with an address. Headless ones and names of other hosts have none. */
export function serviceLinks(services: readonly Service[]): Map<string, string> {
  const variables = new Map<string, string>();
  for (const { metadata, spec } of services) {
    const { clusterIP, ports = [] } = spec ?? {};
    if (!clusterIP || clusterIP === 'None' || ports.length === 0) continue;
    addService(variables, metadata.name, clusterIP, ports);
  }
  return variables;
}

export function apiServerLinks({ host, port }: ApiAddress): Map<string, string> {
  const variables = new Map<string, string>();
  addService(variables, 'kubernetes', host, [{ name: 'https', port, protocol: 'TCP' }]);
  return variables;
}

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number];

function addService(variables: Map<string, string>, name: string, host: string, ports: readonly Port[]): void {
  const prefix = variableName(name);
  variables.set(`${prefix}_SERVICE_HOST`, host);
  variables.set(`${prefix}_SERVICE_PORT`, String(ports[0]!.port));
  for (const { name: portName, port } of ports) {
    if (portName) variables.set(`${prefix}_SERVICE_PORT_${variableName(portName)}`, String(port));
  }
  const address = host.includes(':') ? `[${host}]` : host;
  const url = ({ protocol = 'TCP', port }: Port): string => `${protocol.toLowerCase()}://${address}:${port}`;
  variables.set(`${prefix}_PORT`, url(ports[0]!));
  for (const port of ports) {
    const { protocol = 'TCP' } = port;
    const portPrefix = `${prefix}_PORT_${port.port}_${protocol}`;
    variables.set(portPrefix, url(port));
    variables.set(`${portPrefix}_PROTO`, protocol.toLowerCase());
    variables.set(`${portPrefix}_PORT`, String(port.port));
    variables.set(`${portPrefix}_ADDR`, host);
  }
}

const variableName = (name: string): string => name.toUpperCase().replaceAll('-', '_');
