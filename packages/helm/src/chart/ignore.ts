/**
 * .helmignore by Helm's rules, which are close to git's and not the same: no `**`, a negated pattern ignores everything that does
 * not match it, and patterns without `/` look at the last part of the path only.
 */

import { HelmError } from '../errors.ts';
import { compilePattern } from './path-match.ts';

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/** Whether a path of the chart is left out. */
export type Ignore = (path: string, isDirectory: boolean) => boolean;

/** Hidden files among the templates are never part of a chart. */
const alwaysIgnored = 'templates/.?*';

/** Reads a .helmignore. */
export function parseIgnore(text: string): Ignore {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const rules = [...lines, alwaysIgnored].map(parseRule).filter(rule => rule !== undefined);
  return (path, isDirectory) => {
    for (const rule of rules) {
      if (rule.negated) {
        if ((rule.directoriesOnly && !isDirectory) || !rule.matches(path)) return true;
      } else if ((!rule.directoriesOnly || isDirectory) && rule.matches(path)) return true;
    }
    return false;
  };
}

function parseRule(line: string): Rule | undefined {
  let pattern = line.trim();
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  if (pattern.includes('**')) throw new HelmError('ChartInvalid', 'double-star (**) syntax is not supported');
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith('/');
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  return { negated, directoriesOnly, matches: pathTest(pattern) };
}

function pathTest(pattern: string): (path: string) => boolean {
  if (pattern.startsWith('/')) return compilePattern(pattern.slice(1));
  const test = compilePattern(pattern);
  return pattern.includes('/') ? test : path => test(path.slice(path.lastIndexOf('/') + 1));
}
