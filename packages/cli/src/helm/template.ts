import { type HelmVersion, render, templateText } from '@capstan/helm';
import { type ChartFlags, chartFrom } from './chart-source.ts';
import { print } from './output.ts';
import { type ValuesFlags, valuesFrom } from './values-flags.ts';

export interface TemplateFlags extends ChartFlags, ValuesFlags {
  readonly namespace: string;
  readonly helm: '3' | '4';
  readonly showOnly?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly kubeVersion?: string;
  readonly includeCrds?: boolean;
  readonly isUpgrade?: boolean;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
  readonly skipTests?: boolean;
  readonly skipSchemaValidation?: boolean;
}

/** With one argument it is the chart, and the release is called `release-name`, as Helm has it. */
export async function template(first: string, second: string | undefined, flags: TemplateFlags): Promise<void> {
  const [name, source] = second === undefined ? ['release-name', first] : [first, second];
  const helm: HelmVersion = flags.helm === '3' ? 3 : 4;
  const [chart, values] = await Promise.all([chartFrom(source, flags, { helm }), valuesFrom(flags, helm)]);
  const rendered = render(chart, {
    helm,
    values,
    release: { name, namespace: flags.namespace, isUpgrade: flags.isUpgrade ?? false },
    ...(flags.kubeVersion && { kubeVersion: flags.kubeVersion }),
    extraApiVersions: flags.apiVersions ?? [],
    includeCrds: flags.includeCrds ?? false,
    skipSchemaValidation: flags.skipSchemaValidation ?? false,
  });
  for (const warning of rendered.warnings) process.stderr.write(`${warning}\n`);
  print(
    templateText(rendered, {
      helm,
      noHooks: !flags.hooks,
      skipTests: flags.skipTests ?? false,
      showOnly: flags.showOnly ?? [],
    }),
  );
}
