/** Looks into values by a dotted path, as conditions and import-values name them. */

import { isTable, type Values, type ValuesNode } from './values.ts';

const own = (table: Values, key: string): ValuesNode | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The table at a path, or `undefined` where there is none. */
export function tableAt(values: Values, path: string): Values | undefined {
  let table: Values = values;
  for (const key of path.split('.')) {
    const next = own(table, key);
    if (!isTable(next)) return undefined;
    table = next;
  }
  return table;
}

/** The value at a path that is no table, or `undefined`. */
export function valueAt(values: Values, path: string): ValuesNode | undefined {
  const cut = path.lastIndexOf('.');
  const table = cut < 0 ? values : tableAt(values, path.slice(0, cut));
  const value = table && own(table, path.slice(cut + 1));
  return isTable(value) ? undefined : value;
}
