/** A small allocator of addresses for Services: it looks at the Services there are and gives the lowest free number. */
import type { ServiceAddresses, Stored } from '../kind.ts';

export interface AddressRange {
  /** `10.96.0.0/16`. */
  readonly clusterIPs: string;
  /** Both ends included. */
  readonly nodePorts: readonly [first: number, last: number];
}

export const DEFAULT_RANGE: AddressRange = { clusterIPs: '10.96.0.0/16', nodePorts: [30000, 32767] };

/** `services` is read on every call, so that it may be the live list. */
export function allocatorOf(services: () => Iterable<Stored>, range: AddressRange = DEFAULT_RANGE): ServiceAddresses {
  const { base, size } = parseRange(range.clusterIPs);
  return {
    allocateClusterIP(wanted) {
      const taken = new Set<string>();
      for (const { spec } of services()) for (const address of spec?.clusterIPs ?? []) taken.add(address);
      if (wanted !== undefined) return wantedAddress(wanted, taken, base, size, range.clusterIPs);
      // The first address is the network's, the last its broadcast.
      for (let offset = 1; offset < size - 1; offset++) {
        const address = formatAddress(base + offset);
        if (!taken.has(address)) return address;
      }
      return { problem: 'failed to allocate a serviceIP: range is full' };
    },
    allocateNodePort(wanted) {
      const [first, last] = range.nodePorts;
      const taken = new Set<number>();
      for (const { spec } of services()) for (const port of spec?.ports ?? []) taken.add(port.nodePort);
      if (wanted !== undefined) {
        if (wanted < first || wanted > last) {
          return { problem: `provided port is not in the valid range. The range of valid ports is ${first}-${last}` };
        }
        return taken.has(wanted) ? { problem: 'provided port is already allocated' } : wanted;
      }
      for (let port = first; port <= last; port++) if (!taken.has(port)) return port;
      return { problem: 'failed to allocate a nodePort: range is full' };
    },
  };
}

function wantedAddress(wanted: string, taken: ReadonlySet<string>, base: number, size: number, cidr: string) {
  const failed = (why: string) => ({ problem: `failed to allocate IP ${wanted}: ${why}` });
  const number = parseAddress(wanted);
  if (number <= base || number >= base + size - 1) {
    return failed(`the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${cidr}`);
  }
  return taken.has(wanted) ? failed('provided IP is already allocated') : wanted;
}

function parseRange(cidr: string): { base: number; size: number } {
  const [address, bits] = cidr.split('/') as [string, string];
  return { base: parseAddress(address), size: 2 ** (32 - Number(bits)) };
}

function parseAddress(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.');
}
