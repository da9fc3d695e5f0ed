/**
 * Which names a server answers to. A page in a browser can make a name of its own point here (DNS rebinding) and then speaks to
 * us as if we were its server; the name is what gives it away. Pure.
 */

/** What a Pod calls the API server. */
const SERVICE_NAMES = [
  ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
];

export interface Arrival {
  /** The Host header. */
  readonly host: string | undefined;
  /** The address that the connection came in on: it tells where `0.0.0.0` was reached. */
  readonly localAddress: string | undefined;
}

/** @param own the address that is listened on, and further names */
export function hostCheck(own: readonly string[]): (arrival: Arrival) => boolean {
  const names = new Set([...own, 'localhost', ...SERVICE_NAMES].map(normal));
  return ({ host, localAddress }) => {
    if (host === undefined) return false;
    const name = hostName(host);
    if (names.has(name) || isLoopback(name)) return true;
    return localAddress !== undefined && name === normal(localAddress);
  };
}

/** Without the port, which a forwarded one changes: `[::1]:7443` is `::1`. */
function hostName(host: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(host);
  return normal(bracketed ? bracketed[1]! : host.replace(/:\d*$/, ''));
}

/** Upper case and a dot at the end mean nothing in a name; an IPv4 address may come in IPv6 clothes. */
const normal = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^::ffff:/, '');

const isLoopback = (name: string): boolean => name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);

export const notOurName = (host: string | undefined): string =>
  `the host ${JSON.stringify(host ?? '')} is not a name of this server: call it by its address or localhost, or start it with this as a further host name`;
