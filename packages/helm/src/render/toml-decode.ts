/** TOML into values, with Go's types: integers are int64, a list of tables is a list of maps. */

import { GoError, GoMap, GoSlice, go, types, type Value } from '@capstan/gotemplate';
import { parse, TomlDate } from 'smol-toml';

export function decodeToml(text: string): GoMap {
  try {
    return decoded(parse(text, { integersAsBigInt: true })) as GoMap;
  } catch (error) {
    throw new GoError(`toml: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

function decoded(node: unknown): Value {
  if (typeof node === 'bigint') return go.int64(node);
  if (node instanceof TomlDate) return node.toISOString();
  if (Array.isArray(node)) {
    const items = node.map(decoded);
    const tables = items.length > 0 && items.every(item => item instanceof GoMap);
    return new GoSlice(items, tables ? types.sliceOf(types.ANY_MAP) : types.ANY_SLICE);
  }
  if (typeof node === 'object' && node !== null) {
    return new GoMap(Object.entries(node).map(([key, value]) => [key, decoded(value)]));
  }
  return node as Value;
}
