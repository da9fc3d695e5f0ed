const RESERVED = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const UNESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/**
 * The identifier by which a rule reaches a property: `x-prop` is `self.x__dash__prop`, `in` is `self.__in__`.
 * `undefined` for names that no identifier stands for (`$ref`, `1st`): those cannot be used in rules.
 */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, part => ESCAPES[part]!);
}

export const isKeyword = (name: string): boolean => RESERVED.has(name);

/** The property behind an identifier; `undefined` for an escape that means nothing. */
export function unescapeName(escaped: string): string | undefined {
  let valid = true;
  const name = escaped.replace(/__([^_]+)__/g, (whole, contents: string) => {
    if (Object.hasOwn(UNESCAPES, contents)) return UNESCAPES[contents]!;
    if (!RESERVED.has(contents) || whole !== escaped) valid = false;
    return contents;
  });
  return valid ? name : undefined;
}
