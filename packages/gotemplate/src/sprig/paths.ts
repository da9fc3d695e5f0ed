/** Slash-separated paths, as Go's `path` (and `path/filepath` on the systems Helm renders on). */

import { trimRightFunc } from '../text/unicode.ts';
import { define, type FuncMap } from '../value/function.ts';

export function clean(path: string): string {
  if (path === '') return '.';
  const rooted = path[0] === '/';
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!rooted) out.push('..');
  }
  return (rooted ? '/' : '') + out.join('/') || '.';
}

function base(path: string): string {
  if (path === '') return '.';
  const trimmed = trimRightFunc(path, code => code === 0x2f);
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

const directory = (path: string) => clean(path.slice(0, path.lastIndexOf('/') + 1));

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

const isAbsolute = (path: string) => path.startsWith('/');

export const pathFunctions: FuncMap = {
  base: define('string', base),
  dir: define('string', directory),
  clean: define('string', clean),
  ext: define('string', extension),
  isAbs: define('string', isAbsolute),
  osBase: define('string', base),
  osDir: define('string', directory),
  osClean: define('string', clean),
  osExt: define('string', extension),
  osIsAbs: define('string', isAbsolute),
};
