import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPeer } from '../../../scripts/peers/find.ts';
import { loadChart, mergeValues, render, templateText } from './charts.ts';
import { publicCharts } from './testing/public-charts.ts';
import type { HelmVersion } from './version.ts';

const helms = { 3: findPeer('helm3'), 4: findPeer('helm4') } as const;
const release = { name: 'rel', namespace: 'ns' };

async function ours(chart: string, values: string | undefined, helm: HelmVersion): Promise<string> {
  const files = values === undefined ? [] : [{ name: values, text: readFileSync(values, 'utf8') }];
  try {
    const loaded = await loadChart(chart, { helm });
    const rendered = render(loaded, { helm, values: mergeValues({ files, helm }), includeCrds: true, release });
    return templateText(rendered, { helm });
  } catch (error) {
    return `Error: ${(error as Error).message}`;
  }
}

function theirs(chart: string, values: string | undefined, helm: HelmVersion): string {
  const args = ['template', release.name, chart, '--namespace', release.namespace, '--include-crds'];
  const run = spawnSync(helms[helm]!, values === undefined ? args : [...args, '--values', values], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (run.status === 0) return run.stdout;
  return run.stderr.slice(run.stderr.search(/^Error: /m)).replace(/\n\nUse --debug flag[^\n]*\n$/, '');
}

/** Charts with passwords and certificates of their own making differ from run to run, in Helm too. */
const masked = (text: string): string =>
  text
    .replace(/-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----/g, 'PEM')
    .replace(/\bLS0tLS1CRUdJTi[A-Za-z0-9+/=]+/g, 'PEM');

const charts = helms[3] && helms[4] ? publicCharts() : [];

describe.skipIf(charts.length === 0)('public charts (set CAPSTAN_CHARTS, and npm run peers -- helm3 helm4)', () => {
  for (const { name, folder, values } of charts) {
    for (const file of [undefined, ...values]) {
      for (const helm of [3, 4] as const) {
        it(`${name} with ${file ? basename(file) : 'its defaults'} renders as Helm ${helm} renders it`, async () => {
          expect(masked(await ours(folder, file, helm))).toBe(masked(theirs(folder, file, helm)));
        });
      }
    }
  }
});
