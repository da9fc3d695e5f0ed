/**
 * Public charts to compare on, from the folder that CAPSTAN_CHARTS names. Charts whose dependencies are not there cannot be rendered,
 * by Helm neither: they get empty ones in their place, in a copy.
 */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMetadata } from '../chart/read-metadata.ts';

export interface PublicChart {
  readonly name: string;
  readonly folder: string;
  /** Values files of its own to render it with. */
  readonly values: readonly string[];
}

export function publicCharts(root: string | undefined = process.env.CAPSTAN_CHARTS): PublicChart[] {
  if (root === undefined || !existsSync(root)) return [];
  return readdirSync(root)
    .filter(name => existsSync(join(root, name, 'Chart.yaml')))
    .map(name => {
      const ci = join(root, name, 'ci');
      const files = existsSync(ci) ? readdirSync(ci).filter(file => /\.ya?ml$/.test(file)) : [];
      return { name, folder: complete(join(root, name), name), values: files.map(file => join(ci, file)) };
    });
}

function complete(folder: string, name: string): string {
  const wanted = readMetadata(readFileSync(join(folder, 'Chart.yaml'), 'utf8')).dependencies ?? [];
  const missing = wanted.filter(({ name: other }) => !existsSync(join(folder, 'charts', other)));
  if (missing.length === 0) return folder;
  const copy = join(mkdtempSync(join(tmpdir(), 'capstan-chart-')), name);
  cpSync(folder, copy, { recursive: true, mode: 0 });
  for (const { name: other, version } of missing) {
    mkdirSync(join(copy, 'charts', other), { recursive: true });
    writeFileSync(join(copy, 'charts', other, 'Chart.yaml'), `apiVersion: v2\nname: ${other}\nversion: ${version}\n`);
  }
  return copy;
}
