// What a bundle was made from. Plain JavaScript: stripping types from it would cost more than all it does.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Where bundles are kept: with what npm installs, so that a new installation forgets them. */
export const bundles = join(root, 'node_modules/.cache/capstan/bundles');

/** The folder of the bundle of the sources as they are now: another for every state of them, and of how it is made (names, sizes, times of change). */
export function bundleFolder() {
  const lines = [process.versions.node, stateOf('package-lock.json'), stateOf('scripts/bundle/main.mjs')];
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    addFolder(join(root, 'packages', name, 'src'), lines);
  }
  return join(bundles, createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16));
}

function stateOf(file) {
  const { size, mtimeMs } = statSync(join(root, file));
  return `${size} ${mtimeMs}`;
}

function addFolder(folder, lines) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      addFolder(path, lines);
    } else if (/\.(ts|json)$/.test(entry.name) && !/\.(test|fixture)\.ts$/.test(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      lines.push(`${path} ${size} ${mtimeMs}`);
    }
  }
}

/** The program of that bundle, if it was made. */
export function freshBundle() {
  const program = join(bundleFolder(), 'capstan.mjs');
  return existsSync(program) ? program : undefined;
}
