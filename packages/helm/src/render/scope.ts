/** What each chart's templates see as `.`: the same objects for all files of a chart, its own part of the values. */

import { GoMap, type Value } from '@capstan/gotemplate';
import { textOf } from '../chart/assemble.ts';
import { type Chart, isLibrary } from '../chart/chart.ts';
import type { HelmVersion } from '../version.ts';
import { chartObject } from './chart-object.ts';
import { valuesType } from './cluster-objects.ts';
import { filesObject } from './files-object.ts';

/** One template file, with the data it is rendered with. */
export interface Renderable {
  readonly name: string;
  readonly text: string;
  readonly data: GoMap;
  readonly basePath: string;
}

export interface Surroundings {
  readonly release: Value;
  readonly capabilities: Value;
  readonly helm: HelmVersion;
}

/** A map under another type: Go shares one map between `.Values.child` of the parent and `.Values` of the child. */
class View extends GoMap {
  readonly #shared: GoMap;

  constructor(shared: GoMap, helm: HelmVersion) {
    super([], valuesType(helm));
    this.#shared = shared;
  }

  override get size(): number {
    return this.#shared.size;
  }

  override has(key: string): boolean {
    return this.#shared.has(key);
  }

  override get(key: string): Value {
    return this.#shared.get(key);
  }

  override set(key: string, value: Value): void {
    this.#shared.set(key, value);
  }

  override delete(key: string): void {
    this.#shared.delete(key);
  }

  override keys(): readonly string[] {
    return this.#shared.keys();
  }
}

/** All templates of a chart and of those below it, with their data. */
export function renderables(chart: Chart, values: GoMap, surroundings: Surroundings): Renderable[] {
  const found: Renderable[] = [];
  collect(chart, chart.metadata.name, values, true, surroundings, found);
  return found;
}

function collect(
  chart: Chart,
  path: string,
  values: GoMap,
  isRoot: boolean,
  surroundings: Surroundings,
  found: Renderable[],
): GoMap {
  const { release, capabilities, helm } = surroundings;
  const subcharts = new GoMap();
  const scope = new GoMap(
    [
      ['Chart', chartObject(chart.metadata, isRoot, helm)],
      ['Files', filesObject(chart.files)],
      ['Release', release],
      ['Capabilities', capabilities],
      ['Values', new View(values, helm)],
      ['Subcharts', subcharts],
    ],
    valuesType(helm),
  );
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const own = values.get(name);
    const childValues = own instanceof GoMap ? own : new GoMap();
    subcharts.set(name, collect(child, `${path}/charts/${name}`, childValues, false, surroundings, found));
  }
  for (const file of chart.templates) {
    const base = file.name.slice(file.name.lastIndexOf('/') + 1);
    if (isLibrary(chart) && !base.startsWith('_')) continue;
    found.push({ name: `${path}/${file.name}`, text: textOf(file), data: scope, basePath: `${path}/templates` });
  }
  return scope;
}
