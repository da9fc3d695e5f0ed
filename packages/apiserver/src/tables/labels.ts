/** Labels and selectors as cells. */
import { type LabelSelector, labelSelectorMatcher, type Sparse } from '@capstan/kube';

/** `a=1,b=2`, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string | undefined>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(',') || '<none>';
}

/** `a=1,b in (x,y)`; `<none>` for a selector that takes everything, and for none at all. */
export const selectorText = (selector: Sparse<LabelSelector> | undefined): string =>
  readSelector(selector, '<error>') || '<none>';

/** The text of a selector, which is empty for one that takes everything; `invalid` for one that cannot be read. */
export function readSelector(selector: Sparse<LabelSelector> | undefined, invalid: string): string {
  try {
    return labelSelectorMatcher(selector as LabelSelector | undefined).toString();
  } catch {
    return invalid;
  }
}
