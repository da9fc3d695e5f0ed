/**
 * Puts the values of a user over the defaults of a chart and its subcharts.
 *
 * - Values of a chart win over those of the charts below it.
 * - Tables are merged; scalars and lists are replaced.
 * - `null` takes a default away, except while merging, where it is kept for the coalescing that comes later.
 * - `global` flows from each chart into those below it.
 */

import { sprint } from '@capstan/gotemplate';
import type { Chart } from '../chart/chart.ts';
import { HelmError } from '../errors.ts';
import type { HelmVersion } from '../version.ts';
import { templateValue } from './template-value.ts';
import { copyValues, emptyValues, isTable, type MutableValues, type Values, type ValuesNode } from './values.ts';

export interface CoalesceOptions {
  readonly helm: HelmVersion;
  /** Keep nulls: the outcome will be coalesced again. */
  readonly merge?: boolean;
  /** Told what Helm would log. */
  readonly warn?: (message: string) => void;
}

/** The inner form of the options: nothing optional. */
interface Mode {
  readonly helm: HelmVersion;
  readonly merge: boolean;
  readonly warn: (message: string) => void;
}

/** What templates see as `.Values`, subcharts' values included under their names. Nothing given is changed. */
export function coalesceValues(chart: Chart, values: Values, options: CoalesceOptions): MutableValues {
  const mode: Mode = { helm: options.helm, merge: options.merge ?? false, warn: options.warn ?? (() => {}) };
  return coalesceChart(chart, copyValues(values), '', mode);
}

/** Fills what is missing in the first table from the second. Changes the first. */
export function fillTable(
  target: MutableValues,
  source: Values,
  { merge, warn }: { merge: boolean; warn: Mode['warn'] },
) {
  fill(target, copyValues(source), '', merge, warn);
  return target;
}

const joined = (prefix: string, key: string) => (prefix === '' ? key : `${prefix}.${key}`);

function coalesceChart(chart: Chart, target: MutableValues, prefix: string, mode: Mode): MutableValues {
  const path = joined(prefix, chart.metadata.name);
  coalesceOwn(chart, target, path, mode);
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const given = Object.hasOwn(target, name) ? target[name]! : emptyValues();
    if (!isTable(given)) {
      throw new HelmError('ValuesInvalid', `type mismatch on ${name}: ${formatBoolean(given)}`);
    }
    passGlobals(given, target, path, mode.warn);
    target[name] = coalesceChart(child, given, path, mode);
  }
  return target;
}

/** Go's `%t`, which Helm prints here of whatever it found. */
function formatBoolean(node: ValuesNode): string {
  if (typeof node === 'boolean') return String(node);
  if (node === null) return '%!t(<nil>)';
  const type = Array.isArray(node)
    ? '[]interface {}'
    : typeof node === 'number'
      ? 'float64'
      : typeof node === 'bigint'
        ? 'int64'
        : 'string';
  if (Array.isArray(node)) return `[${node.map(formatBoolean).join(' ')}]`;
  return `%!t(${type}=${shown(node)})`;
}

function coalesceOwn(chart: Chart, target: MutableValues, path: string, mode: Mode): void {
  const defaults = copyValues(chart.values);
  for (const key of Object.keys(defaults)) {
    const value = defaults[key]!;
    if (!Object.hasOwn(target, key)) {
      // Since Helm 4.2 a default of null is no value at all, so that it neither hides a global nor prints as %!s(<nil>).
      const clean = mode.helm === 4 && !mode.merge;
      if (clean && value === null) continue;
      if (clean && isTable(value)) dropNulls(value);
      target[key] = value;
      continue;
    }
    const given = target[key]!;
    if (given === null && !mode.merge) delete target[key];
    else if (isTable(given)) {
      if (isTable(value)) {
        const merge = mode.merge || chart.dependencies.some(child => child.metadata.name === key);
        if (mode.helm === 4 && !merge) dropNulls(value);
        fill(given, value, joined(path, key), merge, mode.warn);
      } else if (value !== null) mode.warn(`warning: skipped value for ${path}.${key}: Not a table.`);
    }
  }
}

function dropNulls(table: MutableValues): void {
  for (const key of Object.keys(table)) {
    const value = table[key]!;
    if (value === null) delete table[key];
    else if (isTable(value)) dropNulls(value);
  }
}

/** Gives the globals of a chart to one below it; what the lower one has of its own under a key stays where the upper one has none. */
function passGlobals(lower: MutableValues, upper: Values, prefix: string, warn: Mode['warn']): void {
  const target = Object.hasOwn(lower, 'global') ? lower['global']! : emptyValues();
  const source = Object.hasOwn(upper, 'global') ? upper['global']! : emptyValues();
  if (!isTable(target) || !isTable(source)) {
    const which = isTable(target) ? 'source' : 'destination';
    warn(`warning: skipping globals because ${which} global is not a table.`);
    return;
  }
  for (const key of Object.keys(source)) {
    const value = source[key]!;
    const before = Object.hasOwn(target, key) ? target[key]! : undefined;
    if (isTable(value)) {
      const copy = copyValues(value);
      if (before === undefined) target[key] = copy;
      else if (!isTable(before)) warn(`Conflict: cannot merge map onto non-map for ${JSON.stringify(key)}. Skipping.`);
      else {
        fill(copy, before, joined(prefix, key), true, warn);
        target[key] = copy;
      }
    } else if (isTable(before)) warn(`key ${key} is table. Skipping`);
    else target[key] = value;
  }
  lower['global'] = target;
}

/** Fills a table from another. A null of the target deletes what the source has, unless merging. */
function fill(target: MutableValues, source: MutableValues, prefix: string, merge: boolean, warn: Mode['warn']): void {
  const keys = new Set(Object.keys(source));
  for (const key of keys) {
    const value = source[key]!;
    const path = joined(prefix, key);
    if (!Object.hasOwn(target, key)) {
      target[key] = value;
      continue;
    }
    const given = target[key]!;
    if (given === null) {
      if (!merge && value !== null) delete target[key];
    } else if (isTable(value)) {
      if (isTable(given)) fill(given, value, path, merge, warn);
      else warn(`warning: cannot overwrite table with non table for ${path} (${shown(value)})`);
    } else if (isTable(given) && value !== null) {
      warn(`warning: destination for ${path} is a table. Ignoring non-table value (${shown(value)})`);
    }
  }
}

function shown(node: ValuesNode): string {
  return sprint([templateValue(node)]);
}
