import { emptyValues, isTable, type MutableValues, type Values } from './values.ts';

/** Two tables as one: where both have a key, tables are merged and of anything else the second wins, `null` included. */
export function mergeTables(first: Values, second: Values): Values {
  const merged: MutableValues = emptyValues();
  for (const key of Object.keys(first)) merged[key] = first[key]!;
  for (const key of Object.keys(second)) {
    const value = second[key]!;
    const before = merged[key];
    merged[key] = isTable(value) && isTable(before) ? mergeTables(before, value) : value;
  }
  return merged;
}
