/** Values that a script captured from answers, by name. */
export type Variables = Record<string, string>;

/** Puts captured values in place of `$name` in every string of a value; keys and unknown names stay as they are. */
export function substitute<T>(value: T, variables: Variables): T {
  return replaceStrings(value, text =>
    text.replace(/\$(\w+)/g, (match, name: string) => (Object.hasOwn(variables, name) ? variables[name]! : match)),
  ) as T;
}

function replaceStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map(item => replaceStrings(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceStrings(item, replace)]));
}

/** The value at a dotted path (`items.0.metadata.name`), as the text that it is put elsewhere as. */
export function pick(value: unknown, path: string): string | undefined {
  let at: unknown = value;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at === undefined || at === null ? undefined : String(at);
}
