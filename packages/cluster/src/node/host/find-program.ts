import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

/** Where a program is that would run, or why none would, in the words of container runtimes. */
export function findProgram(
  name: string,
  path: string,
  workingDir: string,
): { readonly file: string } | { readonly problem: string } {
  if (name.includes('/')) {
    const file = isAbsolute(name) ? name : resolve(workingDir, name);
    const problem = problemOf(file);
    return problem === undefined ? { file } : { problem: `exec: ${JSON.stringify(name)}: ${problem}` };
  }
  for (const folder of path.split(':')) {
    const file = resolve(folder || '.', name);
    if (problemOf(file) === undefined) return { file };
  }
  return { problem: `exec: ${JSON.stringify(name)}: executable file not found in $PATH` };
}

function problemOf(file: string): string | undefined {
  try {
    if (statSync(file).isDirectory()) return `stat ${file}: is a directory`;
  } catch {
    return `stat ${file}: no such file or directory`;
  }
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return 'permission denied';
  }
}
