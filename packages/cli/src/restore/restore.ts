/** `capstan restore`: makes a data folder what it was when a backup was made. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BackupFacts, newestRevision, readBackup, restoreStore, revisionAfterRestore } from '@capstan/apiserver';
import { systemClock, timestamp } from '@capstan/kube';
import { type DataFolder, folderPath, OURS, openDataFolder } from '../cluster/data-folder.ts';
import { kubeconfigText } from '../cluster/kubeconfig.ts';
import { USUAL_PORT } from '../cluster/listen-on.ts';
import { peopleAfterRestore } from '../cluster/people.ts';
import { shellQuote } from '../cluster/shell-quote.ts';
import { tokensText } from '../cluster/tokens-file.ts';
import { writeWhole } from '../cluster/write-whole.ts';
import { filesToRestore } from './restored-files.ts';
import { switchOver } from './switch-over.ts';

export interface RestoreOptions {
  readonly data: string;
  readonly force?: boolean;
}

export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { madeAt } = await restoreBackup(file, options);
  console.log(`
${folderPath(options.data)} is what it was at ${timestamp(madeAt)}.

Go on with:
  capstan cluster --data ${shellQuote(options.data)}
`);
}

export async function restoreBackup(file: string, { data, force = false }: RestoreOptions): Promise<BackupFacts> {
  const source = resolve(file);
  if (!existsSync(source)) throw new Error(`there is no file ${source}. Name one that "capstan backup" wrote.`);
  const facts = readBackup(source);
  const files = filesToRestore(facts.files);
  const folder = openDataFolder(data, false);
  try {
    if (!force) refuseToReplace(folder);
    const known = newestRevision(folder.objects);
    const revision = revisionAfterRestore(facts, systemClock.now(), known === undefined ? [] : [known]);
    const people = await peopleAfterRestore(folder, files['tokens.json']);
    // The next start writes the address that it gets.
    const kubeconfig = kubeconfigText(`https://127.0.0.1:${USUAL_PORT}`, files['ca.crt'], people);
    const all = { ...files, 'tokens.json': tokensText(people), kubeconfig };
    switchOver(folder.path, into => {
      restoreStore(source, join(into, 'objects.db'), revision);
      for (const [name, text] of Object.entries(all)) writeWhole(join(into, name), text);
    });
  } finally {
    folder.release();
  }
  return facts;
}

function refuseToReplace({ path }: DataFolder): void {
  const found = OURS.find(name => existsSync(join(path, name)));
  if (found === undefined) return;
  throw new Error(
    `${path} holds a cluster already (${found}). Restore into another folder with --data, or replace this one with --force.`,
  );
}
