/**
 * Values of charts and users: JSON, and `bigint` for the integers that `--set` makes. Go keeps these int64 apart from the
 * float64 that YAML and JSON give, and templates print them differently (`1000000` and `1e+06`).
 *
 * Objects made here have no prototype: `__proto__` and `constructor` are keys like any other.
 */

export type ValuesNode = null | boolean | number | bigint | string | readonly ValuesNode[] | Values;

export interface Values {
  readonly [key: string]: ValuesNode;
}

/** Values while they are being put together. */
export interface MutableValues {
  [key: string]: ValuesNode;
}

export type JsonNode = null | boolean | number | string | JsonNode[] | { [key: string]: JsonNode };

/** A table without keys, and without a prototype. */
export function emptyValues(): MutableValues {
  return Object.create(null) as MutableValues;
}

/** Whether a node is a table (Helm's word for a map). */
export function isTable(node: ValuesNode | undefined): node is MutableValues {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** A deep copy that shares nothing with the original, of tables without prototypes. */
export function copyValues(values: Values): MutableValues {
  const copy = emptyValues();
  for (const key of Object.keys(values)) copy[key] = copyNode(values[key]!);
  return copy;
}

export function copyNode(node: ValuesNode): ValuesNode {
  if (typeof node !== 'object' || node === null) return node;
  return Array.isArray(node) ? node.map(copyNode) : copyValues(node as Values);
}

/** The values as JSON, for a release or an answer: integers become numbers. */
export function toJson(values: Values): { [key: string]: JsonNode } {
  const json: { [key: string]: JsonNode } = Object.create(null);
  for (const key of Object.keys(values)) json[key] = nodeToJson(values[key]!);
  return json;
}

function nodeToJson(node: ValuesNode): JsonNode {
  if (typeof node === 'bigint') return Number(node);
  if (typeof node !== 'object' || node === null) return node;
  return Array.isArray(node) ? node.map(nodeToJson) : toJson(node as Values);
}
