/** Asks Helm 3 and Helm 4 for the cases of `cases/` and writes their answers to `fixtures/`. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { findPeer } from '../../../scripts/peers/find.ts';
import type { Answer, Case, Suite } from '../src/testing/cases.ts';

const folder = new URL('.', import.meta.url);

const helms = { 3: findPeer('helm3'), 4: findPeer('helm4') } as const;
for (const [version, program] of Object.entries(helms)) {
  if (program === undefined) throw new Error(`helm${version} is missing: npm run peers -- helm3 helm4`);
}

const work = mkdtempSync(join(tmpdir(), 'capstan-oracle-'));
const wanted = process.argv[2] ?? '';
for (const file of readdirSync(new URL('cases/', folder)).filter(name => name.startsWith(wanted))) {
  const suite = parse(readFileSync(new URL(`cases/${file}`, folder), 'utf8')) as Suite;
  const answered = { charts: suite.charts, cases: suite.cases.map(test => ({ ...test, ...answers(suite, test) })) };
  const target = new URL(`../fixtures/${file.replace('.yaml', '.json')}`, folder);
  writeFileSync(target, `${JSON.stringify(answered, null, 1)}\n`);
  console.log(`${file}: ${suite.cases.length} cases`);
}
rmSync(work, { recursive: true });

function answers(suite: Suite, test: Case): { helm3: Answer; helm4: Answer } {
  const chart = join(work, 'chart');
  rmSync(chart, { recursive: true, force: true });
  for (const [name, text] of Object.entries(suite.charts[test.chart]!)) write(join(chart, name), text);
  return { helm3: ask(helms[3]!, chart, test), helm4: ask(helms[4]!, chart, test) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function flags(test: Case): string[] {
  const files = (test.values ?? []).map((text, index) => {
    const path = join(work, `values-${index}.yaml`);
    write(path, text);
    return path;
  });
  const each = (flag: string, items: readonly string[] | undefined) => (items ?? []).flatMap(item => [flag, item]);
  return [
    ...each('--values', files),
    ...each('--set', test.set),
    ...each('--set-string', test.setString),
    ...each('--set-json', test.setJson),
    ...each('--set-literal', test.setLiteral),
    ...each('--api-versions', test.apiVersions),
    ...each('--show-only', test.showOnly),
    ...(test.kubeVersion ? ['--kube-version', test.kubeVersion] : []),
    ...(test.includeCrds ? ['--include-crds'] : []),
    ...(test.isUpgrade ? ['--is-upgrade'] : []),
    ...(test.noHooks ? ['--no-hooks'] : []),
    ...(test.skipTests ? ['--skip-tests'] : []),
  ];
}

function ask(program: string, chart: string, test: Case): Answer {
  if (test.lint) return askLint(program, chart, test);
  const run = spawnSync(program, ['template', 'rel', chart, '--namespace', 'ns', ...flags(test)], {
    encoding: 'utf8',
    env: { HOME: work, PATH: process.env['PATH'] ?? '' },
  });
  if (run.status === 0) return { output: run.stdout };
  const error = run.stderr.slice(run.stderr.search(/^Error: /m) + 'Error: '.length);
  return { error: hidden(error.replace(/\n\nUse --debug flag[^\n]*/, '').trimEnd()) };
}

function askLint(program: string, chart: string, test: Case): Answer {
  const run = spawnSync(program, ['lint', chart, ...flags(test)], {
    encoding: 'utf8',
    env: { HOME: work, PATH: process.env['PATH'] ?? '' },
  });
  const [, ...lines] = run.stdout.replace(/\n*\d+ chart\(s\) linted.*\n$/, '').split('\n');
  return { output: hidden(lines.join('\n').trimEnd()) };
}

/** Paths of this machine say nothing about Helm. */
function hidden(text: string): string {
  return text.replaceAll(join(work, 'chart'), '/chart').replaceAll(`${work}/`, '');
}
