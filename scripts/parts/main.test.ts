import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Says that two packages are needed, and "downloads" empty files of their names. */
const APT = `#!/bin/sh
[ -e "$FAKE/no-lists" ] && { echo "E: Unable to locate package" >&2; exit 100; }
case "$1" in
  install) echo "Inst libexample1 (1.0)"; echo "Inst $4 (2.0)"; echo "Conf $4 (2.0)" ;;
  download) shift; for name; do : > "$name.deb"; done ;;
esac
`;
const DPKG = `#!/bin/sh
case "$2" in
  */caddy.deb) mkdir -p "$3/usr/bin"; : > "$3/usr/bin/caddy"; chmod +x "$3/usr/bin/caddy" ;;
  */libexample1.deb) mkdir -p "$3/usr/lib/x86_64-linux-gnu" ;;
esac
`;

describe('npm run parts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-parts-'));
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'tools'));
    for (const name of ['mkdir', 'chmod', 'sh']) {
      const real = ['/bin', '/usr/bin'].map(bin => join(bin, name)).find(existsSync)!;
      writeFileSync(join(folder, 'tools', name), `#!${real === '/bin/sh' ? real : '/bin/sh'}\nexec ${real} "$@"\n`, {
        mode: 0o755,
      });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const give = (name: string, text = '#!/bin/sh\n') => writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
  const run = (...names: string[]) => {
    const env = { PATH: `${folder}/bin:${folder}/tools`, FAKE: folder, CAPSTAN_CACHE: join(folder, 'cache') };
    const { status, stderr } = spawnSync(process.execPath, [main, ...names], { env, encoding: 'utf8' });
    return { status, stderr };
  };
  const unpacked = join('cache', 'parts');

  it('takes what PATH has, and unpacks what it lacks together with its libraries', () => {
    for (const name of ['kubectl', 'mosquitto', 'redis-server']) give(name);
    give('apt-get', APT);
    give('dpkg', DPKG);
    const first = run();
    expect(first.status).toBe(0);
    expect(first.stderr).toContain(`kubectl is there: ${folder}/bin/kubectl`);
    expect(first.stderr).toContain(`caddy is unpacked: ${folder}/cache/parts/caddy/usr/bin/caddy`);
    expect(existsSync(join(folder, unpacked, 'caddy/usr/lib/x86_64-linux-gnu'))).toBe(true);
    expect(readdirSync(join(folder, unpacked))).toEqual(['caddy']);
    expect(run('caddy').stderr).toContain('caddy is there');
  });

  it('goes on without what it cannot bring, and says what would help', () => {
    const bare = run('caddy');
    expect(bare.status).toBe(0);
    expect(bare.stderr).toContain('there is no apt-get and no dpkg here');
    give('apt-get', APT);
    give('dpkg', DPKG);
    writeFileSync(join(folder, 'no-lists'), '');
    const listless = run('caddy');
    expect(listless.status).toBe(0);
    expect(listless.stderr).toMatch(/Unable to locate package.*apt-get update.*It is for routes/s);
    expect(existsSync(join(folder, unpacked, 'caddy'))).toBe(false);
    expect(readdirSync(join(folder, unpacked))).toEqual([]);
  });

  it('knows its parts', () => {
    expect(run('docker')).toMatchObject({ status: 2, stderr: expect.stringContaining('There are: kubectl, caddy') });
  });
});
