/** Our tables against those that a real kube-apiserver made of the same objects (`fixtures/`). */
import { expect, test } from 'vitest';
import { kindsOf, ourTable } from './our-table.fixture.ts';
import { recordedTables } from './recorded-tables.fixture.ts';

const recordings = recordedTables();
const kindOf = kindsOf(recordings);

test.each(
  recordings.map(
    recording => [`${recording.plural} of ${recording.group || 'core'}/${recording.version}`, recording] as const,
  ),
)('%s', (_name, recording) => {
  expect(ourTable(kindOf(recording), recording)).toEqual(recording.table);
});
