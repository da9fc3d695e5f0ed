#!/usr/bin/env node
/** `capstan`: one program, a verb for everything. What a verb needs is loaded when it is called. */
import { enableCompileCache } from 'node:module';
import { Command, Option } from 'commander';

enableCompileCache();

const program = new Command('capstan')
  .description('One control plane for five Kubernetes systems, with a cluster of its own.')
  .showHelpAfterError('(add --help for what there is)')
  .addHelpText(
    'after',
    `
Start here:
  capstan up                          run everything on this machine; it prints what to try next
  capstan status                      what is well and what is not, in this or any cluster
  capstan up --help                   every command explains itself, with examples`,
  );

const dataOption = (): Option => new Option('--data <folder>', 'where everything is kept').default('.capstan');

/** A command that runs the API server, with or without more. */
function serverCommand(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--port <number>', 'port of the API server; without it, 6443 or the next one that is free')
    .addOption(dataOption())
    .option('--memory', 'keep the objects in memory: they are gone when it stops')
    .option('--fresh', 'forget what a former run left in the data folder')
    .option('--host-name <name...>', 'a further name that clients may call the API server by');
}

const EXIT_CODES =
  'Exit codes: 0 after a clean stop, 1 when it cannot start, 130 when a second Ctrl-C cut the stop short.';

serverCommand(
  'up',
  'Run everything on this machine: API server, controllers, node. Ctrl-C stops it; what it holds survives.',
)
  .option('--only <parts>', 'of controllers and node, only these, separated by commas')
  .option('--no-node', 'no node: Pods stay Pending')
  .addHelpText(
    'after',
    `
Examples:
  capstan up                          start, or go on where the last run ended
  capstan up --fresh                  start empty
  capstan up --memory --port 7443     a throw-away cluster on a port of your choice
  capstan up --no-node                controllers without a node: nothing is run on this machine

${EXIT_CODES}`,
  )
  .action(async options => {
    const { up } = await import('./up/up.ts');
    await up(options);
  });

serverCommand('cluster', 'Run the API server alone: no controllers, no node, none of the systems.')
  .addHelpText(
    'after',
    `
It prints the path of a kubeconfig; kubectl, Helm and every Kubernetes client work with it.

Examples:
  capstan cluster                              start, or go on where the last run ended
  capstan cluster --memory --port 7443         a throw-away API server, say for the tests of a controller
  capstan cluster --data /var/lib/capstan      keep everything in another folder
  capstan cluster --host-name api.test         let clients call it https://api.test:6443 as well

${EXIT_CODES}`,
  )
  .action(async options => {
    const { cluster } = await import('./cluster/cluster.ts');
    await cluster(options);
  });

program
  .command('backup')
  .description('Copy a cluster into one file, while it runs or while it is stopped.')
  .argument('<file>', 'the file to write; one that is there is replaced once the new one is whole')
  .addOption(dataOption())
  .addHelpText(
    'after',
    `
The file holds every object (Secrets too), the certificate authority, the key that signs tokens of service accounts, and the
hashes of the tokens in the kubeconfig. Keep it as safe as the data folder: only its owner can read it.

It does not hold what Pods wrote: their volumes (the folder "volumes" in the data folder) and their logs ("node"). To keep the volumes
too, stop the cluster, so that no Pod writes meanwhile, and copy them: cp -a .capstan/volumes monday.volumes

Examples:
  capstan backup monday.capstan
  capstan backup /backups/capstan-$(date +%F) --data /var/lib/capstan

Exit codes: 0 when the backup is whole and was checked, 1 otherwise (then a former file of that name is as it was).`,
  )
  .action(async (file, options) => {
    const { backup } = await import('./backup/backup.ts');
    await backup(file, options);
  });

program
  .command('restore')
  .description('Make a data folder what it was when a backup was made. The cluster must be stopped.')
  .argument('<file>', 'a file that "capstan backup" wrote')
  .addOption(dataOption())
  .option('--force', 'replace the cluster that the folder holds')
  .addHelpText(
    'after',
    `
Either all of it is restored or nothing is, also when it is interrupted. Kubeconfigs that were given out before the backup work
again; what was written after it is gone, and clients that have seen it are told to list anew.

Volumes and logs of Pods are not in a backup. Copy the volumes into the folder "volumes" of the data folder before the cluster starts,
with the names that they have: cp -a monday.volumes/. restored/volumes/ (after: mkdir -p restored/volumes)
A Pod whose volume is not there waits with an Event FailedMount; volumes of another data folder are never used.

Examples:
  capstan restore monday.capstan --data restored     look at it beside the old one
  capstan restore monday.capstan --force             replace what .capstan holds

Exit codes: 0 when the folder was restored, 1 otherwise (then it is as it was).`,
  )
  .action(async (file, options) => {
    const { restore } = await import('./restore/restore.ts');
    await restore(file, options);
  });

program
  .command('status')
  .description('Tell on one screen what is well in a cluster and what is not. Works with any cluster.')
  .option('--kubeconfig <file>', 'without it: KUBECONFIG, else the cluster in .capstan, else ~/.kube/config')
  .option('--context <name>', 'of the kubeconfig; without it, its current one')
  .option('-n, --namespace <name>', 'only what is in this namespace, and the nodes')
  .option('--json', 'everything that was found, for programs')
  .addHelpText(
    'after',
    `
It looks at the API server, nodes, namespaces that do not go, Deployments, StatefulSets and DaemonSets that lack Pods, Pods that wait or
restart, Jobs that failed, claims without a volume, and the warnings of the last hour. It changes nothing.

Examples:
  capstan status                                  the cluster that "capstan up" runs from this folder
  capstan status --context production -n shop     one namespace of another cluster
  until capstan status; do sleep 1; done          wait until everything is as it should be
  capstan status --json | jq '.sections[].findings[]'

Exit codes: 0 everything is as it should be, 1 something is not, 2 the cluster cannot be reached.`,
  )
  .action(async options => {
    const { status } = await import('./status/status.ts');
    process.exitCode = await status(options);
  });

const helm = program.command('helm').description('Install, change and look at Helm charts and releases, as Helm does.');
if (process.argv[2] === 'helm') (await import('./helm/helm.ts')).addHelmVerbs(helm);

program.parseAsync().catch((error: unknown) => {
  console.error(`capstan: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
