/**
 * What of a log is shown, and how: pure. The node has chosen where to begin (`tailLines`); times, limits and stamps are decided here,
 * so that every node does the same. As in a kubelet, `since` is asked of the lines that are left after `tailLines`.
 */

import type { LogOptions } from './log-options.ts';
import type { LogEntry } from './node-agent.ts';

export type LogTextOptions = Pick<LogOptions, 'since' | 'timestamps' | 'limitBytes'>;

/** The bytes a client gets. Leaves the entries as soon as the limit is reached. */
export async function* logText(
  entries: AsyncIterable<LogEntry>,
  { since = Number.NEGATIVE_INFINITY, timestamps, limitBytes = Number.POSITIVE_INFINITY }: LogTextOptions,
): AsyncGenerator<Uint8Array> {
  let left = limitBytes;
  let lineBegins = true;
  for await (const { time, content } of entries) {
    const begins = lineBegins;
    lineBegins = content.at(-1) === NEW_LINE || content.length === 0;
    if (time < since) continue;
    const stamped = timestamps && begins ? Buffer.concat([Buffer.from(`${nanoTimestamp(time)} `), content]) : content;
    const shown = stamped.length > left ? stamped.subarray(0, left) : stamped;
    left -= shown.length;
    if (shown.length > 0) yield shown;
    if (left <= 0) return;
  }
}

const NEW_LINE = 0x0a;

/** RFC 3339 with nine digits, always: columns stay in line. */
export function nanoTimestamp(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const rest = Math.floor((milliseconds - whole) * 1_000_000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(rest).padStart(6, '0')}Z`;
}
