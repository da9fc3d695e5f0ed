/** Our tables against those that a real kube-apiserver made of the same objects (`fixtures/`). */
import { describe, expect, test } from 'vitest';
import { builtinKinds } from '../builtins/index.ts';
import { kindsOf, ourBookmark, ourTable } from './our-table.fixture.ts';
import { recordedTables } from './recorded-tables.fixture.ts';

const recordings = recordedTables();
const kindOf = kindsOf(recordings);
const cases = recordings.map(
  recording => [`${recording.plural} of ${recording.group || 'core'}/${recording.version}`, recording] as const,
);

describe('a list', () => {
  test.each(cases)('%s', (_name, recording) => {
    expect(ourTable(kindOf(recording), recording)).toEqual(recording.table);
  });
});

describe('an object without anything', () => {
  test.each(cases)('%s', (_name, recording) => {
    expect(ourBookmark(kindOf(recording))).toEqual(recording.bookmark);
  });
});

test('every kind that is served was recorded', () => {
  const recorded = new Set(recordings.map(kindOf));
  expect(
    builtinKinds().filter(
      ({ group, plural }) => ![...recorded].some(kind => kind.group === group && kind.plural === plural),
    ),
  ).toEqual([]);
});
