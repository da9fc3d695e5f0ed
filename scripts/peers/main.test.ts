import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** A Go that "downloads" a module from a folder and "builds" a program that says its linker flags, and notes its calls. */
const fakeGo = `#!/bin/sh
echo "$*" >> "$FAKE/calls"
case "$1" in
  version) echo "go version go1.26.8 linux/amd64" ;;
  mod) echo "{\\"Dir\\": \\"$FAKE/module\\"}" ;;
  list) echo one; echo two ;;
  build)
    if [ -e "$FAKE/broken" ]; then echo "no space left on device" >&2; exit 1; fi
    while [ "$1" != -o ]; do shift; done
    cp go.mod "$2"; chmod +x "$2" ;;
esac
`;

describe('npm run peers', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-peers-'));
    mkdirSync(join(folder, 'module'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(
      join(folder, 'module/go.mod'),
      'module k8s.io/kubernetes\n\ngo 1.26.0\n\nreplace k8s.io/api => ./staging/api\n',
    );
    writeFileSync(join(folder, 'module/go.sum'), '');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const installGo = () => writeFileSync(join(folder, 'bin/go'), fakeGo, { mode: 0o755 });
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
  const peers = () => join(folder, 'cache/peers');
  function run(...names: string[]) {
    // The fake needs a shell's cp and chmod; a real Go may stand in the same folders, so the fake's goes first or none does.
    const PATH = existsSync(join(folder, 'bin/go')) ? `${folder}/bin:/usr/bin:/bin` : `${folder}/bin`;
    const env = { PATH, FAKE: folder, CAPSTAN_CACHE: join(folder, 'cache') };
    const { status, stderr } = spawnSync(process.execPath, [main, ...names], { env, encoding: 'utf8' });
    return { status, stderr };
  }

  it('says what is skipped where there is no Go, and that is no failure', () => {
    expect(run('etcd', 'kubectl')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Go is not installed, so these are skipped: etcd, kubectl. Install Go 1.24'),
    });
  });

  it('builds what is asked for from a module that requires it', () => {
    installGo();
    expect(run('kubectl')).toMatchObject({ status: 0, stderr: expect.stringContaining('1 of 1 ready') });
    const [version] = readdirSync(peers());
    expect(version).toMatch(/^kubectl-v1\.\d+\.\d+$/);
    expect(readFileSync(join(peers(), version!, 'kubectl'), 'utf8')).toMatch(
      /^replace k8s\.io\/api => k8s\.io\/api v0\./m,
    );
    expect(readdirSync(join(peers(), version!)).toSorted()).toEqual(['kubectl', 'recipe.json']);
  });

  it('does nothing the second time', () => {
    installGo();
    run('kubectl');
    const before = calls().length;
    expect(run('kubectl').stderr).toMatch(/kubectl v\S+ is there/);
    expect(calls().slice(before)).toEqual(['version']);
  });

  it('says what to do when a build fails, leaves nothing half made, and goes on with the others', () => {
    installGo();
    writeFileSync(join(folder, 'broken'), '');
    const { status, stderr } = run('etcd', 'kubectl');
    expect(status).toBe(1);
    expect(stderr).toContain('no space left on device');
    expect(stderr).toContain('run "npm run peers -- etcd" again');
    expect(stderr).toContain('0 of 2 ready');
    for (const version of readdirSync(peers())) expect(readdirSync(join(peers(), version))).toEqual([]);
  });

  it('refuses a name that it does not know', () => {
    expect(run('nginx')).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no peer "nginx"') });
  });
});
