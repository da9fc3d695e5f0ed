import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { wrongImports } from './import-directions.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program of the repository and gives what it printed when it fails. */
function complaints(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('the source', () => {
  it('passes the type check', { timeout: 120_000 }, () => {
    expect(complaints('tsc', '--pretty', 'false')).toBe('');
  });

  it('passes the lint, the one against raw clock and randomness included', { timeout: 120_000 }, () => {
    expect(complaints('biome', 'check', '--error-on-warnings', '--colors=off', '.')).toBe('');
  });

  it('imports along the arrows of the architecture only', () => {
    expect(wrongImports(root)).toEqual([]);
  });

  it('has a lock file that names no registry', () => {
    for (const file of ['package-lock.json', 'tools/node/package-lock.json']) {
      expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/"resolved": "https?:/);
    }
  });
});

describe('the checks themselves', () => {
  const folder = (files: Record<string, string>): string => {
    const made = mkdtempSync(join(tmpdir(), 'capstan-check-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(made, name)), { recursive: true });
      writeFileSync(join(made, name), text);
    }
    return made;
  };

  it('notice an import against the arrows, into the inside of a package, and of a package nobody declared', () => {
    const made = folder({
      'packages/kube/src/a.ts': `import { b } from '@capstan/controller';`,
      'packages/controller/src/a.ts': `export * from '@capstan/kube/src/clock.ts';`,
      'packages/stranger/src/a.ts': '',
    });
    expect(wrongImports(made).sort()).toEqual([
      'packages/controller/src/a.ts imports @capstan/kube/src/clock.ts: import from the package itself, not from inside it',
      'packages/kube/src/a.ts imports @capstan/controller: kube may import only nothing of ours',
      'packages/stranger is not in the table of scripts/import-directions.ts: say what it may import',
    ]);
  });

  it('let a test import upward', () => {
    expect(wrongImports(folder({ 'packages/kube/src/a.test.ts': `import '@capstan/apiserver';` }))).toEqual([]);
  });

  it('refuse the raw clock and raw randomness outside the one module that wraps them', { timeout: 60_000 }, () => {
    const raw = ['Date.now()', 'new Date()', 'Math.random()', 'performance.now()', 'setTimeout(() => {}, 1)'];
    const text = `${raw.map((expression, index) => `export const probe${index} = ${expression};`).join('\n')}\n`;
    const { vcs, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    const made = folder({
      'biome.json': JSON.stringify(config),
      'lint/no-raw-clock.grit': readFileSync(join(root, 'lint/no-raw-clock.grit'), 'utf8'),
      'packages/kube/src/probe.ts': text,
      'packages/kube/src/clock.ts': text,
      'packages/kube/src/probe.test.ts': text,
    });
    const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '--colors=off'], {
      cwd: made,
      encoding: 'utf8',
    });
    expect(vcs.enabled).toBe(true);
    const found = `${stdout}${stderr}`.matchAll(
      /^(packages\S+?):(\d+):\d+ (plugin|lint\/style\/noRestrictedGlobals)/gm,
    );
    expect([...found].map(([, file, line]) => `${file}:${line}`).sort()).toEqual(
      raw.map((_, index) => `packages/kube/src/probe.ts:${index + 1}`),
    );
  });
});
