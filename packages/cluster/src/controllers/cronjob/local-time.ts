/** Calendar fields of an instant in a time zone. */

export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export interface TimeZone {
  localTime(milliseconds: number): LocalTime;
  /** RFC 3339 with the zone's offset, `Z` for UTC. */
  format(milliseconds: number): string;
}

/** Throws a `RangeError` for a zone that does not exist. */
export function timeZone(name: string | undefined): TimeZone {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: name ?? 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const localTime = (milliseconds: number): LocalTime => {
    const parts = formatter.formatToParts(milliseconds);
    const field = (type: Intl.DateTimeFormatPartTypes): number =>
      Number(parts.find(part => part.type === type)?.value ?? 0);
    const [year, month, day] = [field('year'), field('month'), field('day')];
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    return { year, month, day, weekday, hour: field('hour'), minute: field('minute'), second: field('second') };
  };
  return {
    localTime,
    format(milliseconds) {
      const { year, month, day, hour, minute, second } = localTime(milliseconds);
      const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
      const offset = Math.round((asUtc - milliseconds) / 60_000);
      const text = new Date(asUtc).toISOString().slice(0, 19);
      if (offset === 0) return `${text}Z`;
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(two);
      return `${text}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
    },
  };
}

const two = (value: number): string => String(value).padStart(2, '0');
