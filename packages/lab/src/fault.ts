/** What can go wrong, each named so that a failing run can be told and repeated. */

export type Fault =
  /** The process dies right before its n-th write is sent, or right after it was applied and before the answer came. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'after'; readonly write: number }
  /** The n-th write is applied, but the answer is a broken connection: the program cannot know. */
  | { readonly kind: 'lost-answer'; readonly write: number }
  /** The n-th write is refused, and not applied. */
  | { readonly kind: 'refused'; readonly write: number; readonly code: 409 | 429 | 500 }
  /** After the n-th write, every watch is cut without a word. */
  | { readonly kind: 'watches-dropped'; readonly write: number }
  /** After the n-th write, every watch is cut and history is compacted: resuming is answered with 410. */
  | { readonly kind: 'watches-expired'; readonly write: number }
  /** From the n-th write on, watches of this kind (`apps/deployments`, `/pods`) show nothing new for a while: the past is all there is. */
  | { readonly kind: 'stale'; readonly write: number; readonly table: string; readonly milliseconds: number }
  /** From the n-th write on, every request takes this long. */
  | { readonly kind: 'slow'; readonly write: number; readonly milliseconds: number }
  /** Right after the n-th write, the machine's clock is set by this much. */
  | { readonly kind: 'clock-jump'; readonly write: number; readonly milliseconds: number };

/** One line that says it: `crash after write 3`. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'crash':
      return `crash ${fault.when} write ${fault.write}`;
    case 'lost-answer':
      return `answer to write ${fault.write} lost`;
    case 'refused':
      return `write ${fault.write} refused with ${fault.code}`;
    case 'watches-dropped':
      return `watches dropped after write ${fault.write}`;
    case 'watches-expired':
      return `watches expired after write ${fault.write}`;
    case 'stale':
      return `${fault.table} stale for ${fault.milliseconds} ms from write ${fault.write}`;
    case 'slow':
      return `requests take ${fault.milliseconds} ms from write ${fault.write}`;
    case 'clock-jump':
      return `clock set by ${fault.milliseconds} ms after write ${fault.write}`;
  }
}
