import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requirePeers } from './require-peers.ts';

describe('a test that needs a peer', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-require-'));
    vi.stubEnv('CAPSTAN_CACHE', folder);
    vi.stubEnv('PATH', folder);
    vi.stubEnv('CI', '');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const skipped = (names: string[]): string | undefined => {
    const notes: (string | undefined)[] = [];
    const skip = (note?: string) => void notes.push(note);
    requirePeers({ skip: skip as (note?: string) => never }, names);
    return notes[0];
  };

  const program = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });

  it('is skipped with what would bring the peer', () => {
    expect(skipped(['etcd', 'kube-apiserver'])).toBe('etcd, kube-apiserver: run npm run peers -- etcd kube-apiserver');
  });

  it('runs where the peer is', () => {
    program('etcd', '');
    expect(skipped(['etcd'])).toBeUndefined();
  });

  it('is skipped on a CI machine that cannot have it', () => {
    vi.stubEnv('CI', 'true');
    expect(skipped(['etcd'])).toMatch(/^etcd/);
  });

  it('fails on a CI machine that has Go', () => {
    vi.stubEnv('CI', 'true');
    program('go', '#!/bin/sh\necho go version go1.26.8 linux/amd64\n');
    expect(() => skipped(['etcd'])).toThrow('missing etcd: run npm run peers -- etcd');
  });

  it('is skipped on a CI machine whose Go is too old', () => {
    vi.stubEnv('CI', 'true');
    program('go', '#!/bin/sh\necho go version go1.19.8 linux/amd64\n');
    expect(skipped(['etcd'])).toMatch(/^etcd/);
  });
});
