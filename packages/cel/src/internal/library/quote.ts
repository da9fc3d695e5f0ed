const ESCAPED: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text in double quotes, with control characters, quotes and backslashes escaped. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to escape
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, character => ESCAPED[character]!)}"`;
}
