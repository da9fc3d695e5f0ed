import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheFolder } from './cache.ts';
import { findOnPath, findPeer } from './find.ts';
import { parseGoVersion } from './go.ts';
import { peers } from './table.ts';

describe('finding a program', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-find-'));
    vi.stubEnv('CAPSTAN_CACHE', join(folder, 'cache'));
    vi.stubEnv('PATH', folder);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('takes one on PATH where none was built', () => {
    writeFileSync(join(folder, 'etcd'), '', { mode: 0o755 });
    expect(findPeer('etcd')).toBe(join(folder, 'etcd'));
  });

  it('passes over a file that cannot be run', () => {
    writeFileSync(join(folder, 'etcd'), '', { mode: 0o644 });
    expect(findOnPath('etcd')).toBeUndefined();
  });

  it('finds nothing where there is nothing', () => {
    for (const { name } of peers) expect(findPeer(name)).toBeUndefined();
  });
});

describe('the cache folder', () => {
  it('is moved by CAPSTAN_CACHE, then by XDG_CACHE_HOME', () => {
    expect(cacheFolder({ CAPSTAN_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
    expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe('/b/capstan');
    expect(cacheFolder({})).toMatch(/\/\.cache\/capstan$/);
  });
});

it('reads the version that Go says', () => {
  expect(parseGoVersion('go version go1.26.8 linux/amd64')).toBe('1.26.8');
  expect(parseGoVersion('go version go1.24 linux/amd64')).toBe('1.24');
  expect(parseGoVersion('command not found')).toBeUndefined();
});
