// Bundles the command line, so that it starts in a fraction of the time: reading and stripping hundreds of files is most of
// what a start costs. Does nothing where the bundle is fresh. The sources run without it too.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFolder, bundles, freshBundle, root } from '../../packages/cli/bin/sources.mjs';

/** Files beside a source are read from where the source is. */
const ownPlace = {
  name: 'own-place',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/**
 * `node:http`, taken without `import`: that reads every export once, and one of them, WebSocket, is loaded when it is read: a sixth
 * of what a start takes.
 */
const HTTP = '\0lean node:http';
const LAZY = ['WebSocket', 'CloseEvent', 'MessageEvent'];
const leanHttp = {
  name: 'lean-http',
  // A `require` gets the module itself, which loads what is lazy only when it is asked for.
  resolveId: (id, _, { kind }) => (id === 'node:http' && kind === 'import-statement' ? HTTP : undefined),
  load(id) {
    if (id !== HTTP) return undefined;
    return [
      "const http = process.getBuiltinModule('node:http');",
      ...Object.keys(http)
        .filter(key => !LAZY.includes(key))
        .map(key => `export const ${key} = http.${key};`),
      'export default http;',
    ].join('\n');
  },
};

async function bundle() {
  const folder = bundleFolder();
  const { rolldown } = await import('rolldown');
  mkdirSync(bundles, { recursive: true });
  const unfinished = mkdtempSync(join(bundles, 'unfinished-'));
  try {
    const build = await rolldown({
      input: { capstan: join(root, 'packages/cli/src/capstan.ts') },
      platform: 'node',
      plugins: [ownPlace, leanHttp],
      logLevel: 'silent',
    });
    await build.write({
      dir: unfinished,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
    await build.close();
    // Whole or not at all; somebody else may have made the same one meanwhile.
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** A program that runs may still load parts of an old bundle: what goes is older than a day. */
function forgetOld(now) {
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name);
    if (folder !== bundleFolder() && now - statSync(folder).mtimeMs > 24 * 60 * 60 * 1000) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

if (freshBundle() === undefined) {
  try {
    await bundle();
    forgetOld(Date.now());
  } catch (error) {
    console.error(`capstan: could not make the bundle, so this start takes a second longer: ${error.message}`);
  }
}
