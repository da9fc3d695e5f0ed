import { expect, test } from 'vitest';
import { scheduleProblem } from './cron.ts';

test.each(['* * * * *', '*/15 0-6,20 1 jan,JUN mon-fri', '0 0 1-31/2 * ?', '@hourly', '@every 1h30m', '5/10 * * * *'])(
  '%s is a schedule',
  schedule => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  },
);

test.each([
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ['* * * constructor *', 'failed to parse int from constructor: strconv.Atoi: parsing "constructor": invalid syntax'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['CRON_TZ=UTC * * * * *', 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
])('%s is none: %s', (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});
