/** Time zones: offsets and abbreviations over time, read from the binary files of the IANA database (TZif). */

export interface ZoneOffset {
  /** Seconds east of UTC. */
  readonly offset: number;
  /** `CET`, `CEST`, … */
  readonly abbreviation: string;
}

export interface Zone {
  readonly name: string;
  /** What holds at a moment (seconds since the epoch). */
  at(seconds: bigint): ZoneOffset;
}

const utcOffset: ZoneOffset = { offset: 0, abbreviation: 'UTC' };
export const UTC: Zone = { name: 'UTC', at: () => utcOffset };

/** A zone with one offset for ever, as parsing a layout with an offset makes. */
export function fixedZone(name: string, offset: number): Zone {
  const always = { offset, abbreviation: name };
  return { name, at: () => always };
}

/** Reads a TZif file (version 2 or later; RFC 8536). */
export function parseZone(name: string, file: Buffer): Zone | undefined {
  if (file.toString('latin1', 0, 4) !== 'TZif') return undefined;
  const header = (at: number) =>
    Array.from({ length: 6 }, (_, index) => file.readUInt32BE(at + 20 + index * 4)) as number[];
  const [isUt1, isStd1, leap1, times1, types1, chars1] = header(0) as [number, number, number, number, number, number];
  // The first block repeats the data with 32-bit times: skip it.
  const second = 44 + times1 * 5 + types1 * 6 + chars1 + leap1 * 8 + isStd1 + isUt1;
  const [isUt, isStd, leap, times, types, chars] = header(second) as [number, number, number, number, number, number];
  let at = second + 44;
  const moments = Array.from({ length: times }, (_, index) => file.readBigInt64BE(at + index * 8));
  at += times * 8;
  const kinds = Array.from({ length: times }, (_, index) => file.readUInt8(at + index));
  at += times;
  const names = file.subarray(at + types * 6, at + types * 6 + chars).toString('latin1');
  const offsets = Array.from({ length: types }, (_, index): ZoneOffset & { isDst: boolean } => {
    const start = file.readUInt8(at + index * 6 + 5);
    return {
      offset: file.readInt32BE(at + index * 6),
      isDst: file.readUInt8(at + index * 6 + 4) === 1,
      abbreviation: names.slice(start, names.indexOf('\0', start)),
    };
  });
  const footer = file
    .subarray(at + types * 6 + chars + leap * 12 + isStd + isUt)
    .toString('latin1')
    .trim();
  const rule = parseRule(footer);
  const first = offsets.find(kind => !kind.isDst) ?? offsets[0] ?? utcOffset;
  return {
    name,
    at(seconds) {
      if (moments.length === 0 || seconds < moments[0]!) return moments.length === 0 && rule ? rule(seconds) : first;
      if (seconds >= moments.at(-1)! && rule) return rule(seconds);
      let low = 0;
      let high = moments.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (seconds < moments[middle]!) high = middle;
        else low = middle;
      }
      return offsets[kinds[low]!]!;
    },
  };
}

type Rule = (seconds: bigint) => ZoneOffset;

const ruleText =
  /^(<[^>]+>|[A-Za-z]+)([+-]?[0-9:]+)(?:(<[^>]+>|[A-Za-z]+)([+-]?[0-9:]+)?,M(\d+)\.(\d)\.(\d)(?:\/([+-]?[0-9:]+))?,M(\d+)\.(\d)\.(\d)(?:\/([+-]?[0-9:]+))?)?$/;

/** The rule for the time after the last transition, in the POSIX form (`CET-1CEST,M3.5.0,M10.5.0/3`). */
function parseRule(text: string): Rule | undefined {
  const match = ruleText.exec(text);
  if (!match) return undefined;
  const standard = { abbreviation: bare(match[1]!), offset: -duration(match[2]!) };
  if (!match[3]) return () => standard;
  const summer = { abbreviation: bare(match[3]), offset: match[4] ? -duration(match[4]) : standard.offset + 3600 };
  const change = (month: number, index: number) => ({
    month: Number(match[month]),
    week: Number(match[month + 1]),
    day: Number(match[month + 2]),
    time: match[index] ? duration(match[index]!) : 7200,
  });
  const starts = change(5, 8);
  const ends = change(9, 12);
  return seconds => {
    const year = new Date(Number(seconds + BigInt(standard.offset)) * 1000).getUTCFullYear();
    const start = momentOf(year, starts) - standard.offset;
    const end = momentOf(year, ends) - summer.offset;
    const now = Number(seconds);
    const isSummer = start < end ? now >= start && now < end : now >= start || now < end;
    return isSummer ? summer : standard;
  };
}

const bare = (name: string) => name.replace(/[<>]/g, '');

function duration(text: string): number {
  const [hours, minutes = '0', seconds = '0'] = text.replace(/^[+-]/, '').split(':') as [string, string?, string?];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return text.startsWith('-') ? -total : total;
}

/** Seconds since the epoch of "the nth weekday of a month", local time read as UTC. */
function momentOf(
  year: number,
  { month, week, day, time }: { month: number; week: number; day: number; time: number },
): number {
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let date = 1 + ((day - firstWeekday + 7) % 7) + (week - 1) * 7;
  if (date > daysInMonth) date -= 7;
  return Date.UTC(year, month - 1, date) / 1000 + time;
}
