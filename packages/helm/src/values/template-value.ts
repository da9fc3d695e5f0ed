/** Values in the form templates take them: maps that templates may change, int64 for bigints. */

import { GoMap, GoSlice, go, type Value } from '@capstan/gotemplate';
import { isTable, type Values, type ValuesNode } from './values.ts';

export function templateValue(node: ValuesNode): Value {
  if (typeof node === 'bigint') return go.int64(node);
  if (typeof node !== 'object' || node === null) return node;
  if (isTable(node)) return templateMap(node);
  return new GoSlice((node as readonly ValuesNode[]).map(templateValue));
}

export function templateMap(values: Values): GoMap {
  const map = new GoMap();
  for (const key of Object.keys(values)) map.set(key, templateValue(values[key]!));
  return map;
}
