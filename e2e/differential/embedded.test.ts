import { describe, expect, it } from 'vitest';
import { accepted, review } from './accepted.ts';
import { compare, describeDifference } from './compare.ts';
import { embeddedAnswers } from './embedded-answers.ts';
import { readFixture } from './fixture.ts';
import { scripts } from './scripts/index.ts';

describe('the embedded API server answers as a real one', () => {
  const needed = new Set<unknown>();

  for (const script of scripts) {
    it(script.about, { timeout: 60_000 }, async () => {
      const differences = compare(readFixture(script).answers, await embeddedAnswers(script));
      const { unexpected, used } = review(script.name, differences);
      for (const entry of used) needed.add(entry);
      expect(unexpected.map(describeDifference)).toEqual([]);
    });
  }

  it('without accepting more than is needed', () => {
    expect(accepted.filter(entry => !needed.has(entry)).map(({ script, steps }) => `${script}: ${steps}`)).toEqual([]);
  });
});
