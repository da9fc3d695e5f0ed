/** Dates and durations. */

import { GoError } from '../errors.ts';
import type { System } from '../system.ts';
import { parseInteger } from '../text/number.ts';
import { durationText, HOUR, MINUTE, parseDuration, roundDuration, SECOND } from '../time/duration.ts';
import { formatTime } from '../time/format.ts';
import { type Moment, unixSeconds, ZERO } from '../time/moment.ts';
import { parseTime } from '../time/parse.ts';
import { asMoment, elapsed, makeTime } from '../time/time.ts';
import { UTC } from '../time/zone.ts';
import { define, type FuncMap } from '../value/function.ts';
import { INT, INT32, INT64 } from '../value/types.ts';
import { Int, type Value } from '../value/values.ts';

function orElse<T>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

const day = HOUR * 24n;
const steps: readonly [bigint, string][] = [
  [day * 365n, 'y'],
  [day * 30n, 'mo'],
  [day, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'm'],
  [SECOND, 's'],
];

/** The largest unit that is exceeded: `2h`, `3mo`. */
function roundedText(nanoseconds: bigint): string {
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const step = steps.find(([size]) => magnitude > size);
  return step ? `${magnitude / step[0]}${step[1]}` : '0s';
}

export function dateFunctions(system: System): FuncMap {
  const local = () => system.zone('Local') ?? UTC;
  const now = (): Moment => ({ nanoseconds: system.now(), zone: local() });

  /** A time, or seconds since the epoch; anything else is now. */
  const momentFrom = (value: Value, kinds: readonly object[]): Moment => {
    const moment = asMoment(value);
    if (moment) return moment;
    if (value instanceof Int && kinds.includes(value.type)) return { nanoseconds: value.value * SECOND, zone: local() };
    return now();
  };
  const inZone = (layout: string, value: Value, zone: string) =>
    formatTime({ ...momentFrom(value, [INT, INT32, INT64]), zone: system.zone(zone) ?? UTC }, layout);

  const modify = define('string, time', (duration, time) => {
    const moment = asMoment(time)!;
    return orElse(() => makeTime({ ...moment, nanoseconds: moment.nanoseconds + parseDuration(duration) }), time);
  });
  const mustModify = define('string, time', (duration, time) => {
    const moment = asMoment(time)!;
    return makeTime({ ...moment, nanoseconds: moment.nanoseconds + parseDuration(duration) });
  });
  const dateInZone = define('string, any, string', inZone);

  return {
    now: define('', () => makeTime(now())),
    date: define('string, any', (layout, value) => inZone(layout, value, 'Local')),
    dateInZone,
    date_in_zone: dateInZone,
    htmlDate: define('any', value => inZone('2006-01-02', value, 'Local')),
    htmlDateInZone: define('any, string', (value, zone) => inZone('2006-01-02', value, zone)),
    dateModify: modify,
    date_modify: modify,
    mustDateModify: mustModify,
    must_date_modify: mustModify,
    ago: define('any', value => {
      const moment = momentFrom(value, [INT, INT64]);
      return durationText(roundDuration(elapsed(system.now(), moment.nanoseconds), SECOND));
    }),
    duration: define('any', value => {
      const isInt64 = value instanceof Int && value.type === INT64;
      const seconds =
        typeof value === 'string' ? orElse(() => parseInteger(value, 10), 0n) : isInt64 ? value.value : 0n;
      return durationText(BigInt.asIntN(64, seconds * SECOND));
    }),
    durationRound: define('any', value => {
      const moment = asMoment(value);
      if (moment) return roundedText(elapsed(system.now(), moment.nanoseconds));
      if (typeof value === 'string') return roundedText(orElse(() => parseDuration(value), 0n));
      return roundedText(value instanceof Int && value.type === INT64 ? value.value : 0n);
    }),
    toDate: define('string, string', (layout, text) =>
      orElse(() => makeTime(parseTime(layout, text, local())), makeTime(ZERO)),
    ),
    mustToDate: define('string, string', (layout, text) => makeTime(parseTime(layout, text, local()))),
    unixEpoch: define('time', time => unixSeconds(asMoment(time)!).toString()),
  };
}
