/** Puts the files of a chart in their places. */

import { explained, HelmError, withWords } from '../errors.ts';
import { parseValues } from '../values/read.ts';
import { emptyValues, type Values } from '../values/values.ts';
import type { HelmVersion } from '../version.ts';
import type { Chart, ChartFile, Lock } from './chart.ts';
import type { Dependency, Metadata } from './metadata.ts';
import { readLock, readMetadata, readRequirements } from './read-metadata.ts';
import { validated } from './validate.ts';

/** Unpacks an archive found in `charts/`, on what is left of the limits. */
export type Unpack = (data: Uint8Array) => Promise<readonly ChartFile[]>;

export interface AssembleOptions {
  readonly helm: HelmVersion;
  readonly unpack: Unpack;
  /** How many more charts within charts are allowed. */
  readonly depth: number;
}

const decoder = new TextDecoder();
const texts = new WeakMap<Uint8Array, string>();

/** The text of a file. It is kept with the file: templates are asked for theirs at every rendering. */
export function textOf({ data }: ChartFile): string {
  const known = texts.get(data) ?? decoder.decode(data);
  texts.set(data, known);
  return known;
}

/** A chart from its files, subcharts included. Names are relative to the chart. */
export async function assembleChart(files: readonly ChartFile[], options: AssembleOptions): Promise<Chart> {
  if (options.depth < 0) throw new HelmError('ChartInvalid', 'charts are nested too deeply');
  const chartfile = files.findLast(file => file.name === 'Chart.yaml');
  let metadata: Metadata | undefined =
    chartfile && explained('ChartInvalid', 'cannot load Chart.yaml', () => readMetadata(textOf(chartfile)));
  const parts = new Parts();
  for (const file of files) parts.take(file, metadata?.apiVersion ?? '', options.helm);
  if (!metadata) throw new HelmError('ChartInvalid', 'Chart.yaml file is missing');
  if (parts.requirements.length > 0) metadata = { ...metadata, dependencies: parts.requirements };
  metadata = validated(metadata);
  return {
    metadata,
    lock: parts.lock,
    templates: parts.templates,
    values: parts.values,
    schema: parts.schema?.data ?? null,
    files: parts.files,
    raw: files,
    dependencies: await assembleSubcharts(parts.subcharts, metadata.name, options),
    ...(chartfile?.modTime && { modTime: chartfile.modTime }),
    ...(parts.schema?.modTime && { schemaModTime: parts.schema.modTime }),
  };
}

/** The places files are put in, one after the other. */
class Parts {
  readonly templates: ChartFile[] = [];
  readonly files: ChartFile[] = [];
  readonly subcharts = new Map<string, ChartFile[]>();
  values: Values = emptyValues();
  schema: ChartFile | undefined;
  lock: Lock | null = null;
  requirements: readonly Dependency[] = [];

  take(file: ChartFile, apiVersion: string, helm: HelmVersion): void {
    const { name } = file;
    const read = <T>(parse: (text: string) => T): T =>
      explained('ChartInvalid', `cannot load ${name}`, () => parse(textOf(file)));
    if (name === 'Chart.yaml') return;
    if (name === 'Chart.lock') this.lock = read(readLock);
    else if (name === 'values.yaml') this.values = read(text => parseValues(text, helm));
    else if (name === 'values.schema.json') this.schema = file;
    else if (name === 'requirements.yaml') {
      this.requirements = read(readRequirements);
      if (apiVersion === 'v1') this.files.push(file);
    } else if (name === 'requirements.lock') {
      this.lock = read(readLock);
      if (apiVersion === 'v1') this.files.push(file);
    } else if (name.startsWith('templates/')) this.templates.push(file);
    else if (name.startsWith('charts/') && !name.endsWith('.prov')) this.#subchart(file);
    else this.files.push(file);
  }

  #subchart(file: ChartFile): void {
    const name = file.name.slice('charts/'.length);
    const folder = name.split('/', 1)[0]!;
    const known = this.subcharts.get(folder);
    if (known) known.push({ ...file, name });
    else this.subcharts.set(folder, [{ ...file, name }]);
  }
}

async function assembleSubcharts(
  found: ReadonlyMap<string, ChartFile[]>,
  parent: string,
  options: AssembleOptions,
): Promise<Chart[]> {
  const charts: Chart[] = [];
  for (const [folder, files] of found) {
    if (folder.startsWith('_') || folder.startsWith('.')) continue;
    const isArchive = folder.endsWith('.tgz');
    if (isArchive && files[0]!.name !== folder) {
      const message = `error unpacking subchart tar in ${parent}: expected ${folder}, got ${files[0]!.name}`;
      throw new HelmError('ChartInvalid', message);
    }
    try {
      const inside = isArchive ? await options.unpack(files[0]!.data) : withoutFolder(files);
      charts.push(await assembleChart(inside, { ...options, depth: options.depth - 1 }));
    } catch (error) {
      throw withWords('ChartInvalid', `error unpacking subchart ${folder} in ${parent}`, error);
    }
  }
  return charts;
}

/** Files directly in `charts/` belong to no chart. */
function withoutFolder(files: readonly ChartFile[]): ChartFile[] {
  return files
    .filter(file => file.name.includes('/'))
    .map(file => ({ ...file, name: file.name.slice(file.name.indexOf('/') + 1) }));
}
