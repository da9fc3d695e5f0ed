import { describe, expect, it } from 'vitest';
import { linkerFlags, moduleFile } from './module-file.ts';
import { type Peer, peers, selectPeers } from './table.ts';

const peer: Peer = {
  name: 'tool',
  version: 'v1.2.3',
  module: 'example.org/tool',
  mainPackage: 'example.org/tool/cmd/tool',
  siblings: 'v0.2.3',
  stamps: { 'example.org/tool/version.text': 'v1.2.3', 'example.org/tool/version.minor': '2' },
};

const original = `module example.org/tool

go 1.26.0

godebug default=go1.26

require (
	example.org/library v0.0.0
	example.org/other v1.0.0
)

replace (
	example.org/library => ./staging/library
	example.org/other => example.org/fork v1.0.1
)

replace example.org/alone => ./staging/alone
`;

describe('the module that a peer is built from', () => {
  it('requires the release and replaces its siblings by their published versions', () => {
    expect(moduleFile(peer, original).split('\n')).toEqual([
      'module capstan.invalid/peers/tool',
      'go 1.26.0',
      'godebug default=go1.26',
      'require example.org/tool v1.2.3',
      'replace example.org/library => example.org/library v0.2.3',
      'replace example.org/alone => example.org/alone v0.2.3',
      '',
    ]);
  });

  it('replaces nothing for a peer without siblings', () => {
    const { siblings: _, ...alone } = peer;
    expect(moduleFile(alone, original)).not.toContain('replace');
  });

  it('stamps the version as a release build does', () => {
    expect(linkerFlags(peer)).toBe('-s -w -X example.org/tool/version.text=v1.2.3 -X example.org/tool/version.minor=2');
  });
});

describe('the table of peers', () => {
  it('has every name once', () => {
    expect(new Set(peers.map(({ name }) => name)).size).toBe(peers.length);
  });

  it('gives what the real tests need when nothing is asked for', () => {
    expect(selectPeers([]).map(({ name }) => name)).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kubectl',
    ]);
  });

  it('refuses an unknown name with the names there are', () => {
    expect(() => selectPeers(['nginx'])).toThrow(/no peer "nginx"; there are etcd, kube-apiserver/);
  });
});
