/** Go's layouts: the reference time Mon Jan 2 15:04:05 MST 2006 written the way the result should look. */

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A piece of a layout: text to copy, or an element of the date, named by how the layout spells it. */
export interface Piece {
  readonly kind: 'text' | 'element' | 'fraction';
  readonly text: string;
}

const elements =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|2006|__2|_2(?!006)|002|0[1-6]|15|[12345]|PM|pm|[Z-]07(?::00:00|0000|:00|00)?|[.,](?:0+|9+)(?![0-9])/g;

const cache = new Map<string, readonly Piece[]>();

export function parseLayout(layout: string): readonly Piece[] {
  const known = cache.get(layout);
  if (known) return known;
  const pieces: Piece[] = [];
  let last = 0;
  for (const match of layout.matchAll(elements)) {
    if (match.index > last) pieces.push({ kind: 'text', text: layout.slice(last, match.index) });
    pieces.push({ kind: /^[.,]/.test(match[0]) ? 'fraction' : 'element', text: match[0] });
    last = match.index + match[0].length;
  }
  if (last < layout.length) pieces.push({ kind: 'text', text: layout.slice(last) });
  if (cache.size > 200) cache.clear();
  cache.set(layout, pieces);
  return pieces;
}
