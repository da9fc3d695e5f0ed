import { type Finding, type HelmVersion, lintChart, lintText } from '@capstan/helm';
import { print } from './output.ts';
import { type ValuesFlags, valuesFrom } from './values-flags.ts';

export interface LintFlags extends ValuesFlags {
  readonly namespace: string;
  readonly kubeVersion?: string;
  readonly strict?: boolean;
  readonly quiet?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly helm: '3' | '4';
}

export async function lint(charts: readonly string[], flags: LintFlags): Promise<void> {
  const helm: HelmVersion = flags.helm === '3' ? 3 : 4;
  const values = await valuesFrom(flags, helm);
  const isFailure = ({ severity }: Finding) => severity === 'ERROR' || (flags.strict && severity === 'WARNING');
  let failed = 0;
  for (const chart of charts) {
    const findings = await lintChart(chart, {
      helm,
      values,
      namespace: flags.namespace,
      ...(flags.kubeVersion && { kubeVersion: flags.kubeVersion }),
      skipSchemaValidation: flags.skipSchemaValidation ?? false,
    });
    if (findings.some(isFailure)) failed++;
    const shown = flags.quiet ? findings.filter(finding => finding.severity !== 'INFO') : findings;
    if (flags.quiet && shown.length === 0) continue;
    print(`==> Linting ${chart}\n${shown.length > 0 ? `${lintText(shown)}\n` : ''}\n`);
  }
  const summary = `${charts.length} chart(s) linted, ${failed} chart(s) failed`;
  if (failed > 0) throw new Error(summary);
  if (!flags.quiet) print(`${summary}\n`);
}
