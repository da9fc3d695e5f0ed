/** What an operation tells while it runs: for a terminal, a log or a status. */
import type { ObjectStatus } from '@capstan/kube';

export type Progress =
  /** Another run holds the release; this one waits to see whether it is alive. */
  | { readonly kind: 'held'; readonly holder: string; readonly seconds: number }
  /** A former run died half-way; this one goes on where it ended, or declares it failed. */
  | { readonly kind: 'taken-over'; readonly outcome: 'resumed' | 'failed'; readonly revision: number }
  | { readonly kind: 'hook'; readonly event: string; readonly hook: string; readonly phase: 'started' | 'succeeded' }
  | { readonly kind: 'written'; readonly object: string }
  | { readonly kind: 'removed'; readonly object: string }
  /** Not removed, and why. */
  | { readonly kind: 'kept'; readonly object: string; readonly why: string }
  /** The complete list of what is still awaited; empty when the wait is over. */
  | { readonly kind: 'waiting'; readonly for: readonly Awaited[] };

export interface Awaited {
  /** `Deployment default/web`. */
  readonly object: string;
  readonly status: ObjectStatus['status'] | 'Missing';
  /** Why it is not there yet. */
  readonly message: string;
}

export type OnProgress = (progress: Progress) => void;
