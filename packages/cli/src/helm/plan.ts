import { type FieldChange, type ObjectPlan, type Plan, plan as planRelease, type ValuesLayer } from '@capstan/helm';
import { chartFrom } from './chart-source.ts';
import { sharedOptions } from './install.ts';
import { openHelm } from './open.ts';
import { printAs } from './output.ts';
import { type UpgradeFlags, valuesPolicy } from './upgrade.ts';
import { type ValuesFlags, valuesFrom } from './values-flags.ts';

/** Exit codes as those of `diff`: 0 nothing would change, 2 something would, 1 it would fail. */
export async function plan(name: string, chart: string, flags: UpgradeFlags): Promise<void> {
  const [loaded, values, layers, helm] = await Promise.all([
    chartFrom(chart, flags),
    valuesFrom(flags),
    layersOf(flags),
    openHelm(flags),
  ]);
  const { dryRun: _, ...shared } = sharedOptions(flags);
  const planned = await planRelease(helm, {
    ...shared,
    name,
    chart: loaded,
    values,
    layers,
    install: true,
    valuesPolicy: valuesPolicy(flags),
    serverSide: flags.serverSide as 'true' | 'false' | 'auto',
  });
  printAs(flags.output, planned, () => planText(name, planned));
  if (planned.objects.some(({ change }) => change === 'refused')) process.exitCode = 1;
  else if (planned.objects.some(({ change }) => change !== 'none')) process.exitCode = 2;
}

async function layersOf(flags: ValuesFlags): Promise<ValuesLayer[]> {
  const files = (flags.values ?? []).filter(file => file !== '-');
  const layers = await Promise.all(
    files.map(async origin => ({ origin, values: await valuesFrom({ values: [origin] }) })),
  );
  const { values: _, ...set } = flags;
  return [...layers, { origin: 'the command line', values: await valuesFrom(set) }];
}

const SIGNS: Readonly<Record<ObjectPlan['change'], string>> = {
  create: '+',
  update: '~',
  remove: '-',
  keep: '=',
  refused: '!',
  none: ' ',
};

function planText(name: string, planned: Plan): string {
  const lines = [`${planned.operation} of ${name}, revision ${planned.revision}`, ''];
  for (const object of planned.objects) if (object.change !== 'none') lines.push(...objectLines(object));
  const same = planned.objects.filter(({ change }) => change === 'none').length;
  if (same > 0) lines.push(`  ${same} unchanged`);
  section(
    lines,
    'Values',
    planned.values.map(change => `  ${changeText(change)}   (${change.origin})`),
  );
  section(
    lines,
    'Hooks',
    planned.hooks.map(({ event, hook, weight }) => `  ${event}: ${hook} (weight ${weight})`),
  );
  section(
    lines,
    'Definitions',
    planned.definitions.flatMap(({ name: of, verdict, problems }) => [
      `  ${of}: ${verdict}`,
      ...problems.map(problem => `    ${problem}`),
    ]),
  );
  section(
    lines,
    'Permissions missing',
    planned.missingPermissions.map(
      ({ verb, resource, namespace }) => `  ${verb} ${resource}${namespace ? ` in ${namespace}` : ''}`,
    ),
  );
  return `${lines.join('\n')}\n`;
}

function section(lines: string[], title: string, content: readonly string[]): void {
  if (content.length > 0) lines.push('', `${title}:`, ...content);
}

function objectLines(plan: ObjectPlan): string[] {
  const why = plan.change === 'keep' || plan.change === 'refused' ? `: ${plan.why}` : '';
  const fields = plan.change === 'update' ? plan.fields.map(field => `    ${changeText(field)}`) : [];
  return [`${SIGNS[plan.change]} ${plan.object}${why}`, ...fields];
}

function changeText({ path, before, after }: FieldChange): string {
  const shown = (value: unknown): string => (value === undefined ? '(none)' : JSON.stringify(value));
  return `${path}: ${shown(before)} → ${shown(after)}`;
}
