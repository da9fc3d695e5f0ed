import { describe, expect, it } from 'vitest';
import { type Answer, readCases, readDefinitions, readFixture, replay, schemaResolver } from './conformance.ts';

const answers = new Map((JSON.parse(readFixture('answers.json')) as Answer[]).map(answer => [answer.name, answer]));
const schemaOf = schemaResolver(readDefinitions());

describe.each(readCases())('server-side apply as Kubernetes answered it: $topic', ({ cases }) => {
  it.each(cases)('$name', testCase => {
    const answer = answers.get(testCase.name);
    expect(answer, 'recorded by oracle/apply/record.ts').toBeDefined();
    expect(replay(testCase, schemaOf)).toEqual(answer?.results);
  });
});

describe('the table of cases', () => {
  const all = readCases().flatMap(topic => topic.cases);

  it('has more than 150 of them, each with a name of its own', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(150);
  });
});
