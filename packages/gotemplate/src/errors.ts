/**
 * The three ways a template can fail. Messages are Go's own wherever Go has one, because people search for them and
 * Helm's users know them by heart.
 */

/** A failure inside a function, as Go's `error` or panic: the executor adds where it happened. */
export class GoError extends Error {
  override name = 'GoError';
}

/** The text is not a template. The message starts with `template: <name>:<line>:`. */
export class ParseError extends Error {
  override name = 'ParseError';
}

/** Execution failed. The message starts with `template: <name>:<line>:<column>: executing …`. */
export class ExecError extends Error {
  override name = 'ExecError';
  /** The template that was executing. */
  readonly template: string;

  constructor(template: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.template = template;
  }
}

/** What a template may use up; the word in a {@link LimitError} says which of them it was. */
export type LimitName = 'steps' | 'output' | 'depth' | 'memory' | 'nesting';

/** A template asked for more than its limits allow. Not a Go error: Go has no such limits. */
export class LimitError extends Error {
  override name = 'LimitError';
  readonly limit: LimitName;

  constructor(limit: LimitName, message: string) {
    super(message);
    this.limit = limit;
  }
}
