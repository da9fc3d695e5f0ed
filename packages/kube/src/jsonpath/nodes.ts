/** The pieces of a JSONPath template. */

/** A template: text and actions (`{…}`), with what stands between `{range …}` and `{end}` as a piece of its own. */
export type Template = readonly Piece[];

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly steps: Steps }
  | { readonly kind: 'range'; readonly over: Steps; readonly body: Template };

/** Each step takes the values that the step before found. */
export type Steps = readonly Step[];

export type Step =
  /** `.name`, `['name']` */
  | { readonly kind: 'field'; readonly name: string }
  /** `[2]`, `[-1]`, `[1:3]`, `[::2]` */
  | {
      readonly kind: 'slice';
      readonly from: number | undefined;
      readonly to: SliceEnd;
      readonly step: number | undefined;
    }
  /** `.*` */
  | { readonly kind: 'wildcard' }
  /** `..` */
  | { readonly kind: 'recursive' }
  /** `[?(@.a=="b")]`, or `[?(@.a)]` without a comparison */
  | { readonly kind: 'filter'; readonly left: Steps; readonly comparison?: Comparison }
  /** `['a','b']`, `[0,2]` */
  | { readonly kind: 'union'; readonly parts: readonly Steps[] }
  /** `"text"`, `3`, `true` */
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A word where none belongs; refused when it is reached. */
  | { readonly kind: 'word'; readonly word: string };

/** `next`: one after `from`, for an index that stands alone. */
export type SliceEnd = number | 'next' | undefined;

export interface Comparison {
  readonly operator: string;
  readonly right: Steps;
}

/** The template cannot be read, or does not fit the value. The message is kubectl's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
  readonly code = 'JSONPATH_INVALID';
}
