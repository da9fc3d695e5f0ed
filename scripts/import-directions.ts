/** Which package may import which: arrows point one way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What each package may import; tests may import upward. `lab` is for tests alone, so nothing lists it. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kube: [],
  cel: ['kube'],
  gotemplate: [],
  controller: ['kube'],
  apiserver: ['kube', 'cel'],
  cluster: ['kube', 'controller', 'apiserver'],
  lab: ['kube', 'controller', 'apiserver', 'cluster'],
  helm: ['kube', 'gotemplate'],
  routes: ['kube', 'controller'],
  addons: ['kube', 'controller', 'helm'],
  testplane: ['kube', 'controller', 'cel'],
  robots: ['kube', 'controller'],
  middleware: ['kube', 'controller', 'gotemplate'],
  console: [],
  cli: [
    'kube',
    'cel',
    'controller',
    'apiserver',
    'cluster',
    'gotemplate',
    'helm',
    'routes',
    'addons',
    'testplane',
    'robots',
    'middleware',
    'console',
  ],
};

const IMPORT = /^\s*(?:import|export|\}).*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** One sentence for each import that goes the wrong way. */
export function wrongImports(root: string): string[] {
  const wrong: string[] = [];
  for (const name of readdirSync(join(root, 'packages'))) {
    const allowed = MAY_IMPORT[name];
    if (!allowed) {
      wrong.push(`packages/${name} is not in the table of scripts/import-directions.ts: say what it may import`);
      continue;
    }
    for (const file of sources(join(root, 'packages', name, 'src'))) {
      if (/\.(test|contract|fixture)\.ts$/.test(file)) continue;
      for (const [, from, plain] of readFileSync(file, 'utf8').replace(COMMENT, '').matchAll(IMPORT)) {
        const target = (from ?? plain)!;
        const why = problem(name, target, allowed);
        if (why) wrong.push(`${relative(root, file)} imports ${target}: ${why}`);
      }
    }
  }
  return wrong;
}

function problem(name: string, target: string, allowed: readonly string[]): string | undefined {
  const other = /^@capstan\/([^/]+)(\/.*)?$/.exec(target);
  if (!other) return /packages\//.test(target) ? 'use the name of the package' : undefined;
  if (other[2] !== undefined) return 'import from the package itself, not from inside it';
  if (other[1] === name) return 'a package does not import itself by name';
  return allowed.includes(other[1]!) ? undefined : `${name} may import only ${allowed.join(', ') || 'nothing of ours'}`;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') || file.endsWith('.tsx'))
    .map(file => join(folder, file));
}
