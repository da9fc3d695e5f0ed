/**
 * Reading and filling the insides of drafts. A built-in object has passed the decoder when the code here sees it: what is
 * present has the right type, so only absence needs care.
 */

/** Any object inside a draft. Its shape is that of the schema. */
// biome-ignore lint/suspicious/noExplicitAny: the decoder has checked the types; naming 460 definitions again would not add safety
export type Tree = Record<string, any>;

/** The list in a field, empty where it is absent. */
export function listOf(tree: Tree | undefined, field: string): Tree[] {
  return (tree?.[field] as Tree[] | undefined) ?? [];
}

/** Sets a field that is absent. */
export function fill(tree: Tree, field: string, value: unknown): void {
  if (tree[field] === undefined) tree[field] = value;
}

/** The object in a field, made where it is absent. */
export function ensure(tree: Tree, field: string): Tree {
  tree[field] ??= {};
  return tree[field] as Tree;
}

/** The value of a key that a user chose. Plain access would find what every object has: `constructor`, `toString`. */
export function own<T>(map: Readonly<Record<string, T>> | undefined | null, key: string): T | undefined {
  return map !== undefined && map !== null && Object.hasOwn(map, key) ? map[key] : undefined;
}
