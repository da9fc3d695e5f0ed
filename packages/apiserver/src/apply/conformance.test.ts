import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type Case,
  comparable,
  type Result,
  readCases,
  readDefinitions,
  readFixture,
  replay,
  schemaResolver,
} from './conformance.fixture.ts';

const answers = new Map((JSON.parse(readFixture('answers.json')) as Answer[]).map(answer => [answer.name, answer]));
const schemaOf = schemaResolver(readDefinitions());

describe.each(readCases())('server-side apply as Kubernetes answered it: $topic', ({ cases }) => {
  it.each(cases)('$name', testCase => {
    const answer = answers.get(testCase.name);
    expect(answer, 'recorded by oracle/apply/record.ts').toBeDefined();
    expect(replay(testCase, schemaOf)).toEqual(answer?.results);
  });
});

interface Story {
  readonly schemas: Record<string, Record<string, unknown>>;
  readonly case: Case;
  readonly results: readonly Result[];
}

describe('random stories about random kinds', () => {
  const stories = JSON.parse(readFixture('random.json')) as Story[];

  it.each(stories)('$case.name ends as with Kubernetes', ({ schemas, case: story, results }) => {
    const ours = replay(story, schemaResolver(schemas));
    expect(comparable(ours)).toEqual(comparable(results));
  });
});

describe('the table of cases', () => {
  const all = readCases().flatMap(topic => topic.cases);

  it('has more than 150 of them, each with a name of its own', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(150);
  });
});
