/**
 * The journal of an operation: who runs it, until when they are taken to be alive, and how far they have come. It stands in an
 * annotation of the release's Secret, beside the record that Helm reads, and every write of it is guarded by the Secret's version:
 * two runs can never both believe that they hold a release. See docs/decisions/helm-operations.md.
 */

export const JOURNAL_ANNOTATION = 'helm.capstan.dev/journal';

/** What an operation is about to do. It is written down before it is done. */
export type Step =
  /** The chart's own definitions (`crds/`). */
  | 'crds'
  /** Hooks before the objects: which of them ran is in the record, hook by hook. */
  | 'before'
  /** Objects are being written and removed; doing it again does no harm. */
  | 'apply'
  /** Objects are written; what is left is to wait for them and to run the hooks after them. */
  | 'after'
  /** The operation has ended, well or not. */
  | 'done';

export interface Journal {
  /** Names this operation, through all runs that it takes. Hooks carry it, so that one that ran is known again. */
  readonly id: string;
  readonly operation: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test';
  /** Stands for what was asked: whoever asks the same again goes on where this ended. */
  readonly intent: string;
  readonly step: Step;
  /** Counts the writes, so that a writer whose answer was lost knows its own work. */
  readonly sequence: number;
  /**
   * The hooks that this operation has begun, and those that have ended well, by `event/kind/name`. The record itself cannot tell:
   * a hook may serve several events, and a rollback takes over hooks that ran before.
   */
  readonly hooks?: Readonly<Record<string, 'running' | 'succeeded'>>;
  /** Nobody, once the operation has ended. */
  readonly lease?: Lease;
}

export interface Lease {
  readonly holder: string;
  /** By the clock of the holder. */
  readonly renewed: string;
  readonly seconds: number;
}

export function journalText(journal: Journal): string {
  return JSON.stringify(journal);
}

/** Undefined where there is none, or where someone else has left something there. */
export function parseJournal(annotations: Readonly<Record<string, string>> | undefined): Journal | undefined {
  const text = annotations?.[JOURNAL_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const journal = JSON.parse(text) as Partial<Journal> | null;
    return typeof journal?.intent === 'string' && typeof journal.sequence === 'number'
      ? (journal as Journal)
      : undefined;
  } catch {
    return undefined;
  }
}
