/** `$(VAR)` in commands, arguments and values: known names are replaced, unknown ones stay, `$$` is one `$`. */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text;
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$';
    return variables.get(name) ?? whole;
  });
}
