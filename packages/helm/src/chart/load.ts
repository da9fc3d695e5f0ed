/** Loads charts from the disk or from memory; `repository/` fetches them from elsewhere. */

import { readFile, stat } from 'node:fs/promises';
import { HelmError } from '../errors.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { Allowance, unpackArchive } from './archive.ts';
import { assembleChart } from './assemble.ts';
import type { Chart, ChartFile } from './chart.ts';
import { readDirectory } from './directory.ts';
import { type ChartLimits, defaultChartLimits } from './limits.ts';

export interface LoadOptions {
  /** Which Helm to be; it decides how values.yaml is read. Default: 4. */
  readonly helm?: HelmVersion;
  /** What is not given is taken from `defaultChartLimits`. */
  readonly limits?: Partial<ChartLimits>;
}

/**
 * A chart from a folder or a `.tgz` file.
 *
 * ```ts
 * const chart = await loadChart('./charts/shop');
 * ```
 */
export async function loadChart(path: string, options: LoadOptions = {}): Promise<Chart> {
  const allowance = allowanceOf(options);
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new HelmError('NotFound', `path ${JSON.stringify(path)} not found`);
  });
  if (info.isDirectory()) return assemble(await readDirectory(path, allowance), allowance, options);
  if (info.size > allowance.limits.packedBytes) throw tooLarge(allowance);
  const data = await readFile(path);
  if (data[0] !== 0x1f || data[1] !== 0x8b) {
    const looks = /\.ya?ml$/.test(path)
      ? 'seems to be a YAML file, but expected a gzipped archive'
      : 'does not appear to be a gzipped archive';
    throw new HelmError('ArchiveRefused', `file '${path}' ${looks}`);
  }
  return assemble(await unpackArchive(data, allowance), allowance, options);
}

/** A chart from the bytes of a `.tgz` file. */
export async function loadArchive(data: Uint8Array, options: LoadOptions = {}): Promise<Chart> {
  const allowance = allowanceOf(options);
  if (data.length > allowance.limits.packedBytes) throw tooLarge(allowance);
  return assemble(await unpackArchive(data, allowance), allowance, options);
}

/**
 * A chart from files in memory, named by their paths inside the chart; texts are taken as UTF-8.
 *
 * ```ts
 * const chart = await loadFiles({ 'Chart.yaml': 'name: tiny\nversion: 0.1.0', 'templates/a.yaml': 'kind: ConfigMap' });
 * ```
 */
export async function loadFiles(
  files: readonly ChartFile[] | Readonly<Record<string, string>>,
  options: LoadOptions = {},
): Promise<Chart> {
  const list = Array.isArray(files)
    ? (files as readonly ChartFile[])
    : Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) }));
  const allowance = allowanceOf(options);
  for (const file of list) allowance.take(file.data.length);
  return assemble(list, allowance, options);
}

function allowanceOf(options: LoadOptions): Allowance {
  return new Allowance({ ...defaultChartLimits, ...options.limits });
}

function tooLarge({ limits }: Allowance): HelmError {
  return new HelmError('ArchiveRefused', `chart archive is larger than the maximum size ${limits.packedBytes}`);
}

function assemble(files: readonly ChartFile[], allowance: Allowance, options: LoadOptions): Promise<Chart> {
  return assembleChart(files, {
    helm: options.helm ?? defaultHelmVersion,
    unpack: data => unpackArchive(data, allowance),
    depth: allowance.limits.depth,
  });
}
