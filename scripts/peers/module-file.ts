import type { Peer } from './table.ts';

/**
 * The go.mod from which a peer is built: it requires the peer's module and says its replacements again.
 *
 * @param original the peer's own go.mod, which names the siblings and the language version
 */
export function moduleFile(peer: Peer, original: string): string {
  const directives = original.split('\n').filter(line => /^(go|godebug) /.test(line));
  const siblings = peer.siblings === undefined ? [] : siblingModules(original);
  return [
    `module capstan.invalid/peers/${peer.name}`,
    ...directives,
    `require ${peer.module} ${peer.version}`,
    ...siblings.map(sibling => `replace ${sibling} => ${sibling} ${peer.siblings}`),
    '',
  ].join('\n');
}

/** Modules that a go.mod replaces by a folder of the same repository. */
export function siblingModules(original: string): string[] {
  return [...original.matchAll(/^(?:replace)?\s*(\S+) => \.\//gm)].map(match => match[1]!);
}

/** The linker's arguments: stamps as a release build sets them, without symbol tables. */
export function linkerFlags(peer: Peer): string {
  return ['-s', '-w', ...Object.entries(peer.stamps).map(([name, value]) => `-X ${name}=${value}`)].join(' ');
}
