/** The verbs that act on releases: their flags, and where each is carried out. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addSourceFlags } from './chart-verbs.ts';
import { addValuesFlags } from './values-flags.ts';

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const revisionFlag = (): Option =>
  new Option('--revision <number>', 'this revision instead of the last').argParser(whole);
const outputFlag = (): Option =>
  new Option('-o, --output <format>', 'how to print it').choices(['table', 'json', 'yaml']).default('table');

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is needed.');
  return Number(text);
}

/** `key=value,other=value`. */
function pairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const entries = text.split(',').map(pair => {
    const at = pair.indexOf('=');
    if (at < 1) throw new InvalidArgumentError(`${JSON.stringify(pair)} is not key=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { ...before, ...Object.fromEntries(entries) };
}

/** Which cluster, and where in it. */
function addClusterFlags(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'the namespace; without it, that of the kubeconfig')
    .option('--kubeconfig <file>', 'the kubeconfig to use')
    .option('--kube-context <name>', 'the context in it');
}

function addChangeFlags(command: Command): Command {
  return command
    .option('--wait [strategy]', 'wait until everything is ready')
    .option('--wait-for-jobs', 'with --wait, wait for Jobs to complete as well')
    .option('--timeout <duration>', 'how long to wait for any one thing', '5m0s')
    .option('--no-hooks', 'run no hooks')
    .option('--force-conflicts', 'take fields that others own')
    .option('--force-replace', 'replace objects instead of changing them')
    .addOption(new Option('--force').hideHelp())
    .option('--description <text>', 'what the history says about it')
    .option('--take-over', 'do not wait for a Helm that may have died half-way');
}

function addChartFlags(command: Command): Command {
  return addSourceFlags(addValuesFlags(command))
    .option('--rollback-on-failure', 'take everything back when it fails (waits, too)')
    .addOption(new Option('--atomic').hideHelp())
    .option('--create-namespace', 'make the namespace if it is not there')
    .option('--skip-crds', 'leave out the definitions of the chart')
    .option('--take-ownership', 'take objects that are there and belong to someone else')
    .option('--skip-schema-validation', 'do not check the values')
    .option('--render-subchart-notes', 'print the notes of subcharts, too')
    .option('--hide-notes', 'do not print the notes')
    .addOption(new Option('--dry-run [how]', 'change nothing').choices(['none', 'client', 'server']).preset('client'))
    .option('-l, --labels <labels>', 'labels for the record of the release', pairs)
    .addOption(outputFlag());
}

const serverSideFlag = (choices: string[], value: string): Option =>
  new Option('--server-side <how>', 'let the server merge, as Helm 4 does').choices(choices).default(value);

export function addReleaseVerbs(helm: Command): void {
  addChangeFlags(addChartFlags(addClusterFlags(helm.command('install <name> [chart]'))))
    .description('Install a chart.')
    .option('-g, --generate-name', 'give it a name; then only the chart is named')
    .addOption(serverSideFlag(['true', 'false'], 'true'))
    .option('--replace', 'take the name of a release that was uninstalled or has failed')
    .action(async (name, chart, options) => (await import('./install.ts')).install(name, chart, options));

  addChangeFlags(addChartFlags(addClusterFlags(helm.command('upgrade <name> <chart>'))))
    .description('Bring a release to another chart or other values.')
    .addOption(serverSideFlag(['true', 'false', 'auto'], 'auto'))
    .option('-i, --install', 'install it if it is not there')
    .option('--reset-values', "start from the chart's own values")
    .option('--reuse-values', "start from the last release's values")
    .option('--reset-then-reuse-values', "start from the chart's own values, then the last release's")
    .option('--history-max <number>', 'how many revisions to keep; 0 keeps all', whole, 10)
    .option('--cleanup-on-fail', 'remove what this upgrade has made when it fails')
    .action(async (name, chart, options) => (await import('./upgrade.ts')).upgrade(name, chart, options));

  addChangeFlags(addChartFlags(addClusterFlags(helm.command('plan <name> <chart>'))))
    .description('What install or upgrade would change, field by field; nothing is changed.')
    .addOption(serverSideFlag(['true', 'false', 'auto'], 'auto'))
    .option('--reset-values', "start from the chart's own values")
    .option('--reuse-values', "start from the last release's values")
    .option('--reset-then-reuse-values', "start from the chart's own values, then the last release's")
    .addHelpText('after', '\nExit codes: 0 when nothing would change, 2 when something would, 1 when it would fail.')
    .action(async (name, chart, options) => (await import('./plan.ts')).plan(name, chart, options));

  addChangeFlags(addClusterFlags(helm.command('rollback <name> [revision]')))
    .description('Make what an earlier revision was; the one before the last if none is named.')
    .addOption(serverSideFlag(['true', 'false', 'auto'], 'auto'))
    .option('--history-max <number>', 'how many revisions to keep; 0 keeps all', whole, 10)
    .option('--cleanup-on-fail', 'remove what this rollback has made when it fails')
    .option('--dry-run', 'change nothing')
    .action(async (name, revision, options) => (await import('./rollback.ts')).rollback(name, revision, options));

  addClusterFlags(helm.command('uninstall <name...>'))
    .aliases(['delete', 'del', 'un'])
    .description('Remove releases.')
    .option('--keep-history', 'keep the records')
    .option('--no-hooks', 'run no hooks')
    .option('--dry-run', 'change nothing')
    .option('--ignore-not-found', 'a release that is not there is no failure')
    .option('--wait [strategy]', 'wait until everything is gone')
    .option('--timeout <duration>', 'how long to wait for any one thing', '5m0s')
    .option('--description <text>', 'what the history says about it')
    .option('--take-over', 'do not wait for a Helm that may have died half-way')
    .addOption(
      new Option('--cascade <how>', 'what becomes of what the objects own')
        .choices(['background', 'foreground', 'orphan'])
        .default('background'),
    )
    .action(async (names, options) => (await import('./uninstall.ts')).uninstall(names, options));

  addQuestions(helm);
}

function addQuestions(helm: Command): void {
  addClusterFlags(helm.command('list'))
    .alias('ls')
    .description('The releases.')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('-q, --short', 'names only')
    .option('--no-headers', 'no headers')
    .option('-d, --date', 'by date')
    .option('-r, --reverse', 'in reverse')
    .option('-m, --max <number>', 'at most so many; 0 is all', whole, 256)
    .option('--offset <number>', 'leave out so many', whole, 0)
    .option('-f, --filter <pattern>', 'whose name matches')
    .option('-l, --selector <labels>', 'whose labels match')
    .option('--deployed', 'deployed ones')
    .option('--failed', 'failed ones')
    .option('--pending', 'those under way')
    .option('--superseded', 'superseded ones')
    .option('--uninstalled', 'uninstalled ones, whose history was kept')
    .option('--uninstalling', 'those being uninstalled')
    .addOption(outputFlag())
    .action(async options => (await import('./list.ts')).list(options));

  addClusterFlags(helm.command('status <name>'))
    .description('Where a release stands.')
    .addOption(revisionFlag())
    .addOption(outputFlag())
    .action(async (name, options) => (await import('./status.ts')).status(name, options));

  addClusterFlags(helm.command('history <name>'))
    .alias('hist')
    .description('The revisions of a release.')
    .option('--max <number>', 'at most so many', whole, 256)
    .addOption(outputFlag())
    .action(async (name, options) => (await import('./history.ts')).history(name, options));

  addClusterFlags(helm.command('test <name>'))
    .description('Run the tests of a release.')
    .option('--timeout <duration>', 'how long to wait for any one thing', '5m0s')
    .option('--filter <name=test>', 'name=… to run only these, !name=… to leave these out', collect, [])
    .addOption(outputFlag())
    .action(async (name, options) => (await import('./test.ts')).test(name, options));

  const get = helm.command('get').description('What a release was made from and of.');
  for (const what of ['all', 'hooks', 'manifest', 'metadata', 'notes', 'values'] as const) {
    const verb = addClusterFlags(get.command(`${what} <name>`)).description(`The ${what} of a release.`);
    verb.addOption(revisionFlag());
    if (what === 'values') verb.option('-a, --all', "the chart's own values, too");
    if (what === 'values' || what === 'metadata') verb.addOption(outputFlag());
    verb.action(async (name, options) => (await import('./get.ts')).get(what, name, options));
  }
}
