/** Which values would change, and where each new one comes from. */

import { chartFromStored } from '../action/rendering.ts';
import type { Release } from '../release/release.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { isTable, toJson, type Values, type ValuesNode } from '../values/values.ts';
import { defaultHelmVersion } from '../version.ts';
import { type FieldChange, fieldChanges } from './diff.ts';

export interface ValueChange extends FieldChange {
  /** The layer that the new value comes from: `--set`, a file, `the last release`, `the chart`. */
  readonly origin: string;
}

/** Values that a user gives, from one place. */
export interface ValuesLayer {
  readonly origin: string;
  readonly values: Values;
}

/** @param layers lowest first */
export function planValues(before: Release | undefined, after: Release, layers: readonly ValuesLayer[]): ValueChange[] {
  const lowest: ValuesLayer[] = before?.config ? [{ origin: 'the last release', values: before.config }] : [];
  const all = [...lowest, ...layers];
  return fieldChanges(before ? valuesOf(before) : {}, valuesOf(after)).map(change => ({
    ...change,
    origin: originOf(change.path, all, after.config ?? {}),
  }));
}

/** As far as records tell: subcharts' own defaults are in none. */
function valuesOf({ chart, config = {} }: Release): unknown {
  return chart ? toJson(coalesceValues(chartFromStored(chart), config, { helm: defaultHelmVersion })) : config;
}

function originOf(path: string, layers: readonly ValuesLayer[], used: Values): string {
  const keys = path.split('.');
  if (!has(used, keys)) return 'the chart';
  return layers.findLast(({ values }) => has(values, keys))?.origin ?? 'given';
}

/** Whether a table says something about a path, or about what it is in. */
function has(values: Values, keys: readonly string[]): boolean {
  let node: ValuesNode | undefined = values;
  for (const key of keys) {
    if (!isTable(node)) return true;
    if (!Object.hasOwn(node, key)) return false;
    node = node[key];
  }
  return true;
}
