import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { foundPrograms, programsText } from './found-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const give = (path: string, mode: number): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), '', { mode });
};

it('programs are found on PATH and where they were unpacked, and what is missing is named', () => {
  give('bin/kubectl', 0o755);
  give('bin/caddy', 0o644);
  give('cache/parts/mosquitto/usr/sbin/mosquitto', 0o755);
  const found = foundPrograms({ PATH: join(folder, 'bin'), CAPSTAN_CACHE: join(folder, 'cache') });
  expect(found.map(({ path }) => path?.slice(folder.length))).toEqual([
    '/bin/kubectl',
    undefined,
    '/cache/parts/mosquitto/usr/sbin/mosquitto',
    undefined,
  ]);
  expect(programsText(found)).toContain('not found: caddy, redis-server ("npm run parts" brings them)');
  expect(programsText(found.filter(({ path }) => path))).not.toContain('not found');
});
