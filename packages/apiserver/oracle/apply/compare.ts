/**
 * Compares our answers with Kubernetes' on many random stories; prints the first that differ:
 *
 *   node packages/apiserver/oracle/apply/compare.ts 5000 7      (how many, seed)
 */
import { isDeepStrictEqual } from 'node:util';
import { type Answer, comparable, replay, schemaResolver } from '../../src/apply/conformance.fixture.ts';
import { askRandom } from './record.ts';

const SHOWN = 3;

const [count = 1000, seed = 1] = process.argv.slice(2).map(Number);
const { cases, schemas, answers } = askRandom(count, seed);
const schemaOf = schemaResolver(schemas as Parameters<typeof schemaResolver>[0]);
let different = 0;
for (const [index, story] of cases.entries()) {
  const theirs = plain(comparable((answers[index] as Answer).results));
  const ours = plain(comparable(replay(story, schemaOf)));
  if (isDeepStrictEqual(ours, theirs) || ++different > SHOWN) continue;
  const step = theirs.findIndex((result, at) => !isDeepStrictEqual(result, ours[at]));
  console.log(`${story.name}: ${JSON.stringify(schemas[story.name])}`);
  for (const operation of story.operations.slice(0, step + 1)) console.log(`  ${JSON.stringify(operation)}`);
  console.log(`  before:     ${JSON.stringify(theirs[step - 1])}`);
  console.log(`  Kubernetes: ${JSON.stringify(theirs[step])}`);
  console.log(`  ours:       ${JSON.stringify(ours[step])}`);
}
console.log(`${count - different} of ${count} stories end alike`);
process.exitCode = different === 0 ? 0 : 1;

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
