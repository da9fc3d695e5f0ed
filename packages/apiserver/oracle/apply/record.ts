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
import { type Case, readCases, readDefinitions } from '../../src/apply/conformance.ts';

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

if (import.meta.main) {
  const cases = readCases().flatMap(topic => topic.cases);
  writeFileSync(join(fixtures, 'answers.json'), lines(ask(cases, readDefinitions())));
}
