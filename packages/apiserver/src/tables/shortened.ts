/** Lists that would be too wide for a cell are cut. */

/** `a,b,c + 2 more...`. */
export function shortened(texts: readonly string[], most = 3, separator = ','): string {
  const shown = texts.slice(0, most).join(separator);
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown;
}
