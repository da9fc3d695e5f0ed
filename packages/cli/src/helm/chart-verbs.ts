/** The verbs that look at charts and need no cluster: their flags, and where each is carried out. */
import { type Command, Option } from 'commander';
import { addValuesFlags } from './values-flags.ts';

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const commas = (value: string, before: string[] = []): string[] => [...before, ...value.split(',')];

const helmFlag = (): Option =>
  new Option('--helm <version>', 'which Helm to be, where the two differ').choices(['3', '4']).default('4');

/** Where the chart is. */
export function addSourceFlags(command: Command): Command {
  return command
    .option('--version <range>', 'which version of the chart; without it, the newest that is no pre-release')
    .option('--devel', 'pre-releases too')
    .option('--repo <url>', 'the repository of the chart')
    .option('--username <name>', 'for the repository or registry')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--pass-credentials', 'send them to every host the repository names')
    .option('--plain-http', 'speak HTTP to an OCI registry');
}

export function addChartVerbs(helm: Command): void {
  addSourceFlags(addValuesFlags(helm.command('template')))
    .description('Render a chart and print what it gives.')
    .argument('<name>', 'the name of the release; or the chart, where no chart follows')
    .argument('[chart]', 'a folder, an archive, an address, oci://…, or a name with --repo')
    .option('-n, --namespace <name>', 'the namespace of the release', 'default')
    .option('-s, --show-only <template>', 'only what this template gives', collect)
    .option('-a, --api-versions <versions>', 'further API versions that charts see', commas)
    .option('--kube-version <version>', 'the version of Kubernetes that charts see')
    .option('--include-crds', 'print the files of crds/, too')
    .option('--is-upgrade', 'render as for an upgrade')
    .option('--no-hooks', 'leave out the hooks')
    .option('--skip-tests', 'leave out the tests')
    .option('--skip-schema-validation', 'do not check the values')
    .addOption(helmFlag())
    .addHelpText(
      'after',
      `
Examples:
  capstan helm template shop ./shop -f production.yaml --set replicas=3
  capstan helm template ./shop -s templates/deployment.yaml
  capstan helm template shop oci://registry.example.com/charts/shop --version ^1.2`,
    )
    .action(async (name, chart, flags) => (await import('./template.ts')).template(name, chart, flags));

  addValuesFlags(helm.command('lint'))
    .description('Look for mistakes in charts.')
    .argument('[charts...]', 'folders or archives', ['.'])
    .option('-n, --namespace <name>', 'the namespace that templates see', 'default')
    .option('--kube-version <version>', 'the version of Kubernetes that the objects are for')
    .option('--strict', 'fail for warnings, too')
    .option('--quiet', 'print only warnings and errors')
    .option('--skip-schema-validation', 'do not check the values')
    .addOption(helmFlag())
    .addHelpText('after', '\nExit codes: 0 when no chart has an error, 1 otherwise.')
    .action(async (charts, flags) => (await import('./lint.ts')).lint(charts, flags));

  const show = helm.command('show').description('Print what a chart says about itself.');
  for (const [part, description] of [
    ['all', 'everything'],
    ['chart', 'Chart.yaml'],
    ['values', 'the defaults'],
    ['readme', 'the README'],
    ['crds', 'the definitions of crds/'],
  ] as const) {
    addSourceFlags(show.command(part))
      .description(`Print ${description}.`)
      .argument('<chart>', 'a folder, an archive, an address, oci://…, or a name with --repo')
      .action(async (chart, flags) => (await import('./show.ts')).show(part, chart, flags));
  }

  addSourceFlags(helm.command('pull'))
    .description('Fetch the archive of a chart.')
    .argument('<chart>', 'an address, oci://…, or a name with --repo')
    .option('-d, --destination <folder>', 'where to put it', '.')
    .addHelpText(
      'after',
      `
Examples:
  capstan helm pull shop --repo https://charts.example.com --version ~1.2
  capstan helm pull oci://registry.example.com/charts/shop@sha256:…`,
    )
    .action(async (chart, flags) => (await import('./pull.ts')).pull(chart, flags));
}
