import type { Meter } from '../evaluate/meter.ts';
import { CIDR, formatAddress, IP, masked, parseAddress, parseCIDR } from '../value/address.ts';
import { Failure, NO_SUCH_OVERLOAD } from '../value/failure.ts';
import { define, type Overload } from './overload.ts';

export const addresses: readonly Overload[] = [
  define('ip', 'string_to_ip', '(string): net.IP', ([text]: [string], meter) => toIP(text, meter)),
  define('ip', 'cidr_ip', '.(net.CIDR): net.IP', ([cidr]: [CIDR]) => new IP(cidr.address)),
  define('isIP', 'is_ip', '(string): bool', ([text]: [string], meter) => toIP(text, meter) instanceof IP),
  define('ip.isCanonical', 'ip_is_canonical', '(string): bool', ([text]: [string], meter) => {
    const parsed = toIP(text, meter);
    return parsed instanceof Failure ? parsed : formatAddress(parsed.bytes) === text;
  }),
  define('string', 'ip_to_string', '(net.IP): string', ([ip]: [IP]) => formatAddress(ip.bytes)),
  define('family', 'ip_family', '.(net.IP): int', ([{ bytes }]: [IP]) => (bytes.length === 4 ? 4n : 6n)),
  define('isUnspecified', 'ip_is_unspecified', '.(net.IP): bool', ([{ bytes }]: [IP]) => isUnspecified(bytes)),
  define('isLoopback', 'ip_is_loopback', '.(net.IP): bool', ([{ bytes }]: [IP]) => isLoopback(bytes)),
  define('isLinkLocalMulticast', 'ip_is_link_local_multicast', '.(net.IP): bool', ([{ bytes }]: [IP]) =>
    bytes.length === 4
      ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
      : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 0x02,
  ),
  define('isLinkLocalUnicast', 'ip_is_link_local_unicast', '.(net.IP): bool', ([{ bytes }]: [IP]) =>
    isLinkLocalUnicast(bytes),
  ),
  define('isGlobalUnicast', 'ip_is_global_unicast', '.(net.IP): bool', ([{ bytes }]: [IP]) => isGlobalUnicast(bytes)),

  define('cidr', 'string_to_cidr', '(string): net.CIDR', ([text]: [string], meter) => toCIDR(text, meter)),
  define('isCIDR', 'is_cidr', '(string): bool', ([text]: [string], meter) => toCIDR(text, meter) instanceof CIDR),
  define(
    'string',
    'cidr_to_string',
    '(net.CIDR): string',
    ([cidr]: [CIDR]) => `${formatAddress(cidr.address)}/${cidr.bits}`,
  ),
  define(
    'containsIP',
    'cidr_contains_ip_string',
    '.(net.CIDR, string): bool',
    ([cidr, text]: [CIDR, string], meter) => {
      const parsed = toIP(text, meter);
      return parsed instanceof Failure ? NO_SUCH_OVERLOAD : cidr.contains(parsed.bytes);
    },
  ),
  define('containsIP', 'cidr_contains_ip_ip', '.(net.CIDR, net.IP): bool', ([cidr, { bytes }]: [CIDR, IP]) =>
    cidr.contains(bytes),
  ),
  define(
    'containsCIDR',
    'cidr_contains_cidr_string',
    '.(net.CIDR, string): bool',
    ([cidr, text]: [CIDR, string], meter) => {
      const parsed = toCIDR(text, meter);
      return parsed instanceof Failure ? NO_SUCH_OVERLOAD : containsCIDR(cidr, parsed);
    },
  ),
  define('containsCIDR', 'cidr_contains_cidr', '.(net.CIDR, net.CIDR): bool', ([cidr, other]: [CIDR, CIDR]) =>
    containsCIDR(cidr, other),
  ),
  define('prefixLength', 'cidr_prefix_length', '.(net.CIDR): int', ([cidr]: [CIDR]) => BigInt(cidr.bits)),
  define(
    'masked',
    'cidr_masked',
    '.(net.CIDR): net.CIDR',
    ([cidr]: [CIDR]) => new CIDR(masked(cidr.address, cidr.bits), cidr.bits),
  ),
];

function toIP(text: string, meter: Meter): IP | Failure {
  meter.scan(text.length);
  const bytes = parseAddress(text);
  if (bytes) return new IP(bytes);
  const shown = JSON.stringify(text.slice(0, 64));
  return new Failure(
    `IP Address ${shown} parse error during conversion from string: ParseAddr(${shown}): unable to parse IP`,
  );
}

function toCIDR(text: string, meter: Meter): CIDR | Failure {
  meter.scan(text.length);
  const problem = 'network address parse error during conversion from string';
  const detail = `netip.ParsePrefix(${JSON.stringify(text.slice(0, 64))}): ${text.includes('/') ? 'bad prefix' : "no '/'"}`;
  return parseCIDR(text) ?? new Failure(`${problem}: ${problem}: ${detail}`);
}

const containsCIDR = (outer: CIDR, inner: CIDR): boolean => outer.bits <= inner.bits && outer.contains(inner.address);

const isUnspecified = (bytes: Uint8Array): boolean => bytes.every(byte => byte === 0);

function isLoopback(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.subarray(0, 15).every(byte => byte === 0);
}

function isLinkLocalUnicast(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
}

const isMulticast = (bytes: Uint8Array): boolean =>
  bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff;

/** Private addresses count as global here, as they do in Go. */
function isGlobalUnicast(bytes: Uint8Array): boolean {
  const isBroadcast = bytes.length === 4 && bytes.every(byte => byte === 0xff);
  return (
    !isBroadcast && !isUnspecified(bytes) && !isLoopback(bytes) && !isMulticast(bytes) && !isLinkLocalUnicast(bytes)
  );
}
