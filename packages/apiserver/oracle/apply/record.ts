/**
 * Records what Kubernetes answers to the cases of server-side apply:
 *
 *   node packages/apiserver/oracle/apply/record.ts
 *
 * Needs Go. Run it after a change to the cases or to the versions in go.mod, and read the difference before you commit it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Case, readCases, readDefinitions } from '../../src/apply/conformance.fixture.ts';
import { randomCase } from './random-cases.ts';

const here = import.meta.dirname;
const fixtures = join(here, '../../src/apply/fixtures');

export function ask(cases: readonly Case[], schemas: Readonly<Record<string, unknown>>): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'apply-oracle-'));
  const input = join(folder, 'cases.json');
  const output = join(folder, 'answers.json');
  // Our code knows a type of Go by the JSON of an empty one, Go by itself.
  writeFileSync(input, JSON.stringify({ schemas, cases: cases.map(({ empty: _, ...rest }) => rest) }));
  const program = process.env['APPLY_ORACLE'];
  const [command, ...args] = program === undefined ? ['go', 'test', '-count=1', '.'] : [program];
  execFileSync(command!, args, {
    cwd: here,
    env: { ...process.env, CASES: input, ANSWERS: output },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return JSON.parse(readFileSync(output, 'utf8')) as unknown[];
}

/** One answer a line: differences stay readable. */
export function lines(values: readonly unknown[]): string {
  return `[\n${values.map(value => JSON.stringify(value)).join(',\n')}\n]\n`;
}

/** Random cases, each with a schema of its own name, and the answers to them. */
export function askRandom(
  count: number,
  seed: number,
): { cases: Case[]; schemas: Record<string, unknown>; answers: unknown[] } {
  const schemas: Record<string, unknown> = {};
  const cases = fc.sample(randomCase, { numRuns: count, seed }).map(({ case: story, schema, changed }, index) => {
    const name = `random ${index}`;
    schemas[name] = schema;
    schemas[`${name} changed`] = changed;
    const named = (versions: Case['versions']) =>
      Object.fromEntries(
        Object.entries(versions).map(([version, which]) => [
          version,
          { random: name, changed: `${name} changed` }[which] ?? '',
        ]),
      );
    const operations = story.operations.map(each =>
      each.versions === undefined ? each : { ...each, versions: named(each.versions) },
    );
    return JSON.parse(JSON.stringify({ ...story, name, versions: named(story.versions), operations })) as Case;
  });
  return { cases, schemas, answers: ask(cases, schemas) };
}

function usedBy(story: Case, schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [story, ...story.operations].flatMap(({ versions }) => Object.values(versions ?? {}));
  return Object.fromEntries(names.filter(name => name !== '').map(name => [name, schemas[name]]));
}

/** Enough to meet every rule many times, and short enough to keep; a run of thousands (`compare.ts`) is for after a change. */
const TOLD = 2000;
const RECORDED = 300;
const MAXIMUM_LENGTH = 3500;

if (import.meta.main) {
  const cases = readCases().flatMap(topic => topic.cases);
  writeFileSync(join(fixtures, 'answers.json'), lines(ask(cases, readDefinitions())));
  const random = askRandom(TOLD, 1);
  const stories = random.cases.map((story, index) => ({
    schemas: usedBy(story, random.schemas),
    case: story,
    results: (random.answers[index] as { results: unknown }).results,
  }));
  const short = stories.filter(story => JSON.stringify(story).length <= MAXIMUM_LENGTH).slice(0, RECORDED);
  writeFileSync(join(fixtures, 'random.json'), lines(short));
}
