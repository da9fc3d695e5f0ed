/** A length of time: milliseconds, or a number with a unit (`'500ms'`, `'30s'`, `'5m'`, `'1h'`). */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The milliseconds in a duration. Throws a `RangeError` that names the value if it is none. */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') {
    if (duration >= 0 && Number.isFinite(duration)) return duration;
  } else {
    const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration);
    if (found !== null) return Number(found[1]) * UNITS[found[2] as keyof typeof UNITS];
  }
  throw new RangeError(
    `${JSON.stringify(duration)} is not a duration: give milliseconds, or a number with ms, s, m or h`,
  );
}
