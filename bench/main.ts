/**
 * `npm run bench -- <name> [--json]`: runs `bench/<name>/index.ts`, prints a line for each measure, and writes
 * `bench/results/<name>.json`. Without a name it lists what there is. It is no test: nothing fails for being slow.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { type BenchOptions, line, type Measure } from './measure.ts';

const folder = new URL('.', import.meta.url);
const names = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, folder)))
  .map(entry => entry.name);
const [name, ...flags] = process.argv.slice(2);
const json = flags.includes('--json');

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join(' | ')}> [--json]`);
  process.exit(name === undefined ? 0 : 2);
}

const log: BenchOptions['log'] = text => console.error(`  ${text}`);
const { run } = (await import(`./${name}/index.ts`)) as { run: (options: BenchOptions) => Promise<readonly Measure[]> };
const [loadBefore] = loadavg();
const measures = await run({ log });
// Whoever else was working shows here: a load above the number of cores makes wall-clock figures worthless.
const load = { before: loadBefore, after: loadavg()[0] };
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), load };
const result = { bench: name, command: `npm run bench -- ${name}`, at: new Date().toISOString(), machine, measures };
mkdirSync(new URL('results/', folder), { recursive: true });
writeFileSync(new URL(`results/${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
console.log(json ? JSON.stringify(result, null, 2) : measures.map(line).join('\n'));
