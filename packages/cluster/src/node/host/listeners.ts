/** Who listens where on this machine, from /proc/net: to tell programs that bind every address from those that bind their Pod's. */
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface Listener {
  /** `0.0.0.0` where it is every address, IPv6's included. */
  readonly address: string;
  readonly port: number;
  readonly inode: string;
}

const LISTEN = '0A';

export function parseListeners(table: string): Listener[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap(line => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state !== LISTEN || inode === undefined) return [];
      const [address = '', port = ''] = local.split(':');
      return [{ address: readable(address), port: Number.parseInt(port, 16), inode }];
    });
}

/** The kernel prints addresses as the machine stores them: the last byte first. */
function readable(hex: string): string {
  if (/^0+$/.test(hex)) return '0.0.0.0';
  if (hex.length !== 8) return hex;
  return (hex.match(/../g) ?? [])
    .toReversed()
    .map(byte => Number.parseInt(byte, 16))
    .join('.');
}

export async function allListeners(): Promise<Listener[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(name => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  return tables.flatMap(parseListeners);
}

/** The ports on which this process, or one of its children, listens on every address. */
export async function wildcardPorts(pid: number): Promise<number[]> {
  const wildcard = (await allListeners()).filter(({ address }) => address === '0.0.0.0');
  if (wildcard.length === 0) return [];
  const inodes = new Set((await Promise.all((await withChildren(pid)).map(socketsOf))).flat());
  return [...new Set(wildcard.filter(({ inode }) => inodes.has(inode)).map(({ port }) => port))];
}

async function withChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(withChildren))).flat()];
}

async function socketsOf(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(descriptors.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return targets.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}
