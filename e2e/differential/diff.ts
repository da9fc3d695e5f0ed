/**
 * Shows where the embedded server differs from what was recorded of a real one: all scripts, or those named.
 *
 *     npx node e2e/differential/diff.ts [script …]
 */

import { startEmbedded } from '../embedded/server.ts';
import { review } from './accepted.ts';
import { compare, describeDifference } from './compare.ts';
import { readFixture } from './fixture.ts';
import { normalise } from './normalise.ts';
import { runScript } from './run.ts';
import { scripts } from './scripts/index.ts';
import { connect } from './target.ts';

const wanted = process.argv.slice(2);
const counts: string[] = [];
for (const script of scripts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const server = await startEmbedded();
  // As the real server after its restart: version 1 is too old to watch from.
  server.compact();
  const target = connect(server);
  const { answers } = readFixture(script);
  const { unexpected } = review(script.name, compare(answers, normalise(await runScript(script, target))));
  await target.close();
  await server.stop().catch((failure: AggregateError) => console.log(failure.errors));
  for (const difference of unexpected) console.log(`${script.name}: ${describeDifference(difference)}`);
  const steps = new Set(unexpected.map(({ step }) => step));
  counts.push(`${script.name}: ${answers.length - steps.size} of ${answers.length} answers are the same`);
}
console.log(counts.join('\n'));
