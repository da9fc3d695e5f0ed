/** Spans of time as Kubernetes shows them: two or three digits that matter, and no more. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const HOURS_IN_YEAR = 24 * 365;

/** `42s`, `7m30s`, `3h12m`, `5d4h`, `2y10d`: the age in a table. Takes milliseconds. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  // Clocks of two machines differ a little: up to two seconds into the future are still now.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60 * 2) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 60 * 3) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return withRest(days, 'd', hours % 24, 'h');
  if (hours < HOURS_IN_YEAR * 2) return `${days}d`;
  const years = Math.trunc(hours / HOURS_IN_YEAR);
  return hours < HOURS_IN_YEAR * 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

const withRest = (amount: number, unit: string, rest: number, smaller: string): string =>
  rest === 0 ? `${amount}${unit}` : `${amount}${unit}${rest}${smaller}`;

/** How long ago a timestamp was; `<unknown>` for one that was never set. */
export function since(timestamp: string | null | undefined, now: number): string {
  return timestamp ? humanDuration(now - Date.parse(timestamp)) : '<unknown>';
}
