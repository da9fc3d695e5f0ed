/** What came of an evaluation. `cost` is in Kubernetes' units and already charged to the budget. */
export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T; readonly cost: number }
  /** The expression failed: no such key, division by zero, index out of bounds. */
  | { readonly kind: 'error'; readonly message: string; readonly cost: number }
  /** Stopped: this evaluation alone was too expensive, or the request's budget is used up. Run no further rules. */
  | { readonly kind: 'out of budget'; readonly scope: 'evaluation' | 'request'; readonly cost: number };
