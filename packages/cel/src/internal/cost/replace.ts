import { type Amount, add, multiply } from './amount.ts';

/** How long `text.replace(search, replacement)` can get, from the lengths of the three. */
export function estimateReplace(text: Amount, search: Amount, replacement: Amount): Amount {
  const longest = growth(text.max, search.min, replacement.max <= search.min);
  const shortest = growth(text.min, search.max, search.max <= replacement.min);
  const count = { min: shortest.count, max: longest.count };
  const retained = { min: shortest.retained, max: longest.retained };
  return add(multiply(count, replacement), retained);
}

/** An empty search text matches around every character; a replacement that changes nothing for the worse is ignored. */
function growth(
  length: number,
  searched: number,
  isHarmless: boolean,
): { readonly count: number; readonly retained: number } {
  if (searched === 0) return { count: length + 1, retained: length };
  if (isHarmless) return { count: 0, retained: length };
  return { count: Math.ceil(length / searched), retained: 0 };
}
