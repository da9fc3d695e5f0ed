/** What an operation tells, on a terminal: a block of lines that is drawn anew, and lines that stay for what one should know. */
import type { OnProgress, Progress } from '@capstan/helm';

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** More would push what was there before off the screen. */
const MOST_LINES = 8;

export function terminalProgress(screen: Screen): OnProgress {
  let drawn = 0;
  const clear = (): void => {
    if (drawn > 0) screen.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  return progress => {
    const lasting = lastingLine(progress);
    if (lasting !== undefined) {
      clear();
      screen.write(`${lasting}\n`);
    }
    if (!screen.isTTY) return;
    const lines = passingLines(progress).map(line => line.slice(0, (screen.columns ?? 80) - 1));
    clear();
    if (lines.length > 0) screen.write(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
}

/** Worth keeping, on a terminal or in a log. */
function lastingLine(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'held':
      return `${progress.holder} holds this release: waiting up to ${progress.seconds} s to see whether it is alive`;
    case 'taken-over':
      return progress.outcome === 'resumed'
        ? `a former run was cut off: going on with revision ${progress.revision}`
        : `a former run was cut off: revision ${progress.revision} is marked as failed`;
    default:
      return undefined;
  }
}

function passingLines(progress: Progress): string[] {
  switch (progress.kind) {
    case 'waiting': {
      const lines = progress.for.map(({ object, message }) => `  ${object}: ${message}`);
      const more = lines.length - MOST_LINES;
      if (lines.length === 0) return [];
      return ['waiting for', ...lines.slice(0, MOST_LINES), ...(more > 0 ? [`  … and ${more} more`] : [])];
    }
    case 'hook':
      return progress.phase === 'started' ? [`running hook ${progress.hook} (${progress.event})`] : [];
    case 'written':
      return [`wrote ${progress.object}`];
    case 'removed':
      return [`removed ${progress.object}`];
    default:
      return [];
  }
}
