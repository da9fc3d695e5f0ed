import { Opaque } from './opaque.ts';

/** An IP address: four or sixteen bytes. */
export class IP extends Opaque {
  readonly typeName = 'net.IP';
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override get size(): number {
    return this.bytes.length;
  }

  override equals(other: Opaque): boolean {
    return other instanceof IP && Buffer.compare(this.bytes, other.bytes) === 0;
  }
}

/** An address and how many of its leading bits name a network. The bits behind may be set: `10.1.2.3/8`. */
export class CIDR extends Opaque {
  readonly typeName = 'net.CIDR';
  readonly address: Uint8Array;
  readonly bits: number;

  constructor(address: Uint8Array, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }

  override get size(): number {
    return Math.ceil(this.bits / 8);
  }

  override equals(other: Opaque): boolean {
    return other instanceof CIDR && this.bits === other.bits && Buffer.compare(this.address, other.address) === 0;
  }

  contains(address: Uint8Array): boolean {
    if (address.length !== this.address.length) return false;
    return Buffer.compare(masked(this.address, this.bits), masked(address, this.bits)) === 0;
  }
}

/** The address with everything behind the first `bits` bits cleared. */
export function masked(address: Uint8Array, bits: number): Uint8Array {
  return address.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept));
  });
}

/** `undefined` for what is no address. Zones and IPv4-mapped addresses count as none: they can be read in two ways. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (text.length > 64) return undefined;
  if (!text.includes(':')) return parseIPv4(text);
  const bytes = parseIPv6(text);
  return bytes && isMapped(bytes) ? undefined : bytes;
}

export function parseCIDR(text: string): CIDR | undefined {
  const slash = text.lastIndexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const address = parseAddress(text.slice(0, slash));
  if (!address || Number(length) > address.length * 8) return undefined;
  return new CIDR(address, Number(length));
}

function parseIPv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(part => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

function parseIPv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : [];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail]);
}

/** The bytes of `a:b:c`, the last group perhaps as IPv4. */
function parseGroups(text: string, mayEndInIPv4: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const ipv4 = mayEndInIPv4 && index === groups.length - 1 ? parseIPv4(group) : undefined;
    if (!ipv4) return undefined;
    bytes.push(...ipv4);
  }
  return bytes;
}

const isMapped = (bytes: Uint8Array): boolean =>
  bytes.length === 16 && bytes.subarray(0, 10).every(byte => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** The canonical spelling: lower case, the longest run of zero groups as `::`. */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!);
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const spelt = groups.map(group => group.toString(16));
  if (best.start < 0) return spelt.join(':');
  return `${spelt.slice(0, best.start).join(':')}::${spelt.slice(best.start + best.length).join(':')}`;
}
