/** Which proxy the environment wants for an address: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, by the rules of Go. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Environment } from './load.ts';

export function proxyFromEnvironment(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const read = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  const proxy = read(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isLocal(host)) return undefined;
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  if (
    read('NO_PROXY')
      .split(',')
      .some(rule => exempts(rule.trim().toLowerCase(), host, usedPort))
  )
    return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** One part of `NO_PROXY`: `*`, an address, a range, a domain (with all below it), each with a port if it likes. */
function exempts(rule: string, host: string, port: string): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  if (rule.includes('/')) return inRange(rule, host);
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(isIPv6(rule) ? `[${rule}]` : rule)!;
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*/, '');
  if (isIP(bare) !== 0) return bare === host;
  // `.example.com` is for what lies below it; `example.com` for itself too.
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function inRange(rule: string, host: string): boolean {
  const [network = '', prefix = ''] = rule.split('/');
  const family = isIP(host);
  if (family === 0 || isIP(network) !== family || !/^\d+$/.test(prefix)) return false;
  const list = new BlockList();
  const name = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(network, Number(prefix), name);
  return list.check(host, name);
}
