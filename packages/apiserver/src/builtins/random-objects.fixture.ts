/** Objects of the built-in kinds with one or two things changed at random, from a seed: most are odd, many are still valid. */
import { deepClone } from '@capstan/kube';
import type { Schema } from '../schema/schema.ts';
import type { Tree } from './tree.ts';

/** A number in [0, 1), as Mulberry32 gives them. */
export type Chance = () => number;

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A changed copy of an object of `schema`. What the server sets itself (metadata, status) is left as it is. */
export function changed(base: Tree, schema: Schema, chance: Chance): Tree {
  const object = deepClone(base);
  for (let changes = chance() < 0.5 ? 1 : 2; changes > 0; changes--) change(object, schema, chance, true);
  return object;
}

const TEXTS = ['', 'a', 'A_B', 'a.b', 'web', 'Always', 'x y', '10.0.0.1', '80', '-1', '50%', '-', '/x', 'a/b', 'None'];
const KEYS = ['a', 'app', 'cpu', 'memory', 'x/y', 'A B'];
const SET_BY_SERVER = new Set(['apiVersion', 'kind', 'metadata', 'status']);
/** Deeper than this nothing of interest is left. */
const DEEPEST = 5;

const pick = <T>(values: readonly T[], chance: Chance): T => values[Math.floor(chance() * values.length)]!;

function change(node: Tree | unknown[], schema: Schema, chance: Chance, isRoot: boolean): void {
  if (Array.isArray(node)) changeList(node, schema.items ?? {}, chance);
  else if (schema.properties) changeObject(node, schema.properties, chance, isRoot);
  else if (typeof schema.additionalProperties === 'object') {
    put(node, pick(KEYS, chance), anyValue(schema.additionalProperties, 2, chance));
  }
}

function changeList(list: unknown[], items: Schema, chance: Chance): void {
  const index = Math.floor(chance() * list.length);
  const item = list[index];
  if (list.length > 0 && chance() < 0.8) {
    if (typeof item === 'object' && item !== null) change(item as Tree, items, chance, false);
    else list[index] = anyValue(items, 2, chance) ?? '';
  } else {
    const added = anyValue(items, 2, chance);
    if (added !== undefined) list.push(added);
  }
}

function changeObject(
  object: Tree,
  properties: Readonly<Record<string, Schema>>,
  chance: Chance,
  isRoot: boolean,
): void {
  const names = Object.keys(properties).filter(name => !isRoot || !SET_BY_SERVER.has(name));
  const inner = names.filter(name => typeof object[name] === 'object' && object[name] !== null);
  if (inner.length > 0 && chance() < 0.7) {
    const name = pick(inner, chance);
    change(object[name], properties[name]!, chance, false);
    return;
  }
  if (names.length === 0) return;
  const name = pick(names, chance);
  if (chance() < 0.12) delete object[name];
  else put(object, name, anyValue(properties[name]!, 1, chance));
}

function put(object: Tree, name: string, value: unknown): void {
  if (value !== undefined) object[name] = value;
}

function anyValue(schema: Schema, depth: number, chance: Chance): unknown {
  if (depth > DEEPEST) return undefined;
  if (schema['x-kubernetes-int-or-string']) return pick<unknown>([0, 1, -1, 80, 'http', '50%', 'A_B', ''], chance);
  if (schema.format === 'quantity') return pick<unknown>(['1', '-1', '100m', '1Gi', '0', 5], chance);
  if (schema.format === 'date-time') return pick(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000Z'], chance);
  if (schema.format === 'byte') return pick(['', 'YQ==', 'e30='], chance);
  switch (schema.type) {
    case 'string':
      return pick(TEXTS, chance);
    case 'boolean':
      return chance() < 0.5;
    case 'integer':
    case 'number':
      return pick([0, 1, -1, 5, 80, 70000, 100], chance);
    case 'array': {
      const items = Array.from({ length: pick([0, 1, 1, 2], chance) }, () =>
        anyValue(schema.items ?? {}, depth + 1, chance),
      );
      return items.filter(item => item !== undefined);
    }
    case 'object':
      return anyObject(schema, depth, chance);
    default:
      return undefined;
  }
}

function anyObject(schema: Schema, depth: number, chance: Chance): Tree {
  const object: Tree = {};
  if (typeof schema.additionalProperties === 'object') {
    put(object, pick(KEYS, chance), anyValue(schema.additionalProperties, depth + 1, chance));
  }
  const properties = Object.entries(schema.properties ?? {});
  for (const [name, property] of properties) {
    const isWanted = schema.required?.includes(name) || chance() < Math.min(0.6, 3 / properties.length);
    if (isWanted) put(object, name, anyValue(property, depth + 1, chance));
  }
  return object;
}
