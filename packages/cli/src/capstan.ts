#!/usr/bin/env node
/** `capstan`: one program, a verb for everything. What a verb needs is loaded when it is called. */
import { enableCompileCache } from 'node:module';
import { Command } from 'commander';

enableCompileCache();

const program = new Command('capstan')
  .description('One control plane for five Kubernetes systems, with a cluster of its own.')
  .showHelpAfterError('(add --help for what there is)');

program
  .command('up')
  .description('Run the embedded cluster on this machine. Ctrl-C stops it; what it holds survives.')
  .option('--port <number>', 'port of the API server; without it, 6443 or the next one that is free')
  .option('--data <folder>', 'where everything is kept', '.capstan')
  .option('--memory', 'keep nothing on disk but the kubeconfig')
  .option('--fresh', 'forget what a former run left in the data folder')
  .addHelpText(
    'after',
    `
Examples:
  capstan up                          start, or go on where the last run ended
  capstan up --fresh                  start empty
  capstan up --memory --port 7443     a throw-away cluster on a port of your choice

Exit codes: 0 after a clean stop, 1 when it cannot start, 130 when a second Ctrl-C cut the stop short.`,
  )
  .action(async options => {
    const { up } = await import('./up/up.ts');
    await up(options);
  });

program.parseAsync().catch((error: unknown) => {
  console.error(`capstan: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
