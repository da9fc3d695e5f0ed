import { JsonPathError } from './nodes.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Reads a text in quotes as Go does: the usual escapes, `\x41`, `\101`, `\u0041`, and the quote itself. */
export function unquote(quoted: string): string {
  const quote = quoted[0]!;
  const refuse = (): JsonPathError => new JsonPathError(`unquote string ${quoted} error invalid syntax`);
  return quoted.slice(1, -1).replace(ESCAPE, (_, code: string) => {
    if (code === quote) return quote;
    if (Object.hasOwn(SIMPLE, code)) return SIMPLE[code]!;
    if (/^[xuU]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]{3}$/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
    throw refuse();
  });
}

const ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[\s\S]|$)/g;
