/**
 * Shows where the embedded server differs from what was recorded of a real one, beyond what is accepted: all scripts, or those
 * named.
 *
 *     npx node e2e/differential/diff.ts [script …]
 */
import { review } from './accepted.ts';
import { compare, describeDifference } from './compare.ts';
import { embeddedAnswers } from './embedded-answers.ts';
import { readFixture } from './fixture.ts';
import { scripts } from './scripts/index.ts';

const wanted = process.argv.slice(2);
const counts: string[] = [];
for (const script of scripts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { answers } = readFixture(script);
  const { unexpected } = review(script.name, compare(answers, await embeddedAnswers(script, console.error)));
  for (const difference of unexpected) console.log(`${script.name}: ${describeDifference(difference)}`);
  const steps = new Set(unexpected.map(({ step }) => step));
  counts.push(`${script.name}: ${answers.length - steps.size} of ${answers.length} answers are the same`);
}
console.log(counts.join('\n'));
