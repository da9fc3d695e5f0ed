/**
 * The template engine against Go's own packages, in one run on the same template, values and YAML: `text/template` with sprig, and
 * `sigs.k8s.io/yaml`. Both sides are warm; the figure is the median time of one operation.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { emitYaml, fromHost, type Json, parseYaml, sprig, Template, yamlFunctions } from '@capstan/gotemplate';
import { type BenchOptions, compare, type Measure, median } from '../measure.ts';

const template = fileURLToPath(new URL('deployment.tpl', import.meta.url));
const values = fileURLToPath(new URL('values.json', import.meta.url));
const oracle = fileURLToPath(new URL('../../packages/gotemplate/oracle/', import.meta.url));
const ROUNDS = 200;

interface Figures {
  readonly parse: number;
  readonly render: number;
  readonly readYaml: number;
  readonly writeYaml: number;
  /** What was rendered, so that both sides are known to do the same work. */
  readonly output: string;
}

function timed(rounds: number, operation: () => unknown): number {
  for (let round = 0; round < rounds; round++) operation(); // until the engine has compiled what is hot
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    operation();
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return median(times);
}

function ours(): Figures {
  const text = readFileSync(template, 'utf8');
  const data = JSON.parse(readFileSync(values, 'utf8')) as Json;
  const functions = { ...sprig(), ...yamlFunctions };
  const compiled = new Template('bench', { functions }).parse(text);
  const value = fromHost(data);
  const yaml = emitYaml(value);
  let count = 0;
  return {
    // A comment makes every text a new one, so that the cache does not answer.
    parse: timed(ROUNDS, () => new Template('bench', { functions }).parse(`${text}{{/* ${count++} */}}`)),
    render: timed(ROUNDS, () => compiled.execute(data)),
    readYaml: timed(ROUNDS, () => parseYaml(yaml)),
    writeYaml: timed(ROUNDS, () => emitYaml(value)),
    output: compiled.execute(data),
  };
}

function go(): Figures | string {
  try {
    const args = ['run', '.', 'bench', template, values, String(ROUNDS)];
    return JSON.parse(
      execFileSync('go', args, { cwd: oracle, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    ) as Figures;
  } catch (error) {
    return `Go could not be run: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

export async function run({ log }: BenchOptions): Promise<readonly Measure[]> {
  log('ours');
  const us = ours();
  log('Go');
  const peer = go();
  const missing = typeof peer === 'string' ? peer : undefined;
  const them = typeof peer === 'string' ? undefined : peer;
  if (them && them.output !== us.output)
    throw new Error('Go rendered something else: the figures would compare different work');
  const measure = (name: string, figure: 'parse' | 'render' | 'readYaml' | 'writeYaml', ratioAim: number) =>
    compare({
      name,
      unit: 'ms',
      better: 'lower',
      ours: us[figure],
      peer: them?.[figure],
      peerName: 'Go',
      note: missing,
      ratioAim,
    });
  return [
    compare({
      name: 'parse a template, first time',
      unit: 'ms',
      better: 'lower',
      ours: us.parse,
      peer: them?.parse,
      peerName: 'Go',
      note: missing,
      limit: 2,
    }),
    measure('render 40 Deployments, warm', 'render', 1),
    measure('read their values as YAML', 'readYaml', 1),
    measure('write them as YAML', 'writeYaml', 1),
  ];
}
