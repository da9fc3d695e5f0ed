/** `--values` and the five ways to set one value, as Helm has them. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { HelmVersion, Values } from '@capstan/helm';
import type { Command } from 'commander';

export interface ValuesFlags {
  readonly values?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setFile?: readonly string[];
  readonly setJson?: readonly string[];
  readonly setLiteral?: readonly string[];
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function addValuesFlags(command: Command): Command {
  return command
    .option('-f, --values <file>', 'values from a file, or - for the standard input', collect, [])
    .option('--set <key=value>', 'one value, or several', collect, [])
    .option('--set-string <key=value>', 'as --set, always a string', collect, [])
    .option('--set-file <key=path>', 'as --set, from a file', collect, [])
    .option('--set-json <key=json>', 'as --set, in JSON', collect, [])
    .option('--set-literal <key=value>', 'one value, as it is', collect, []);
}

export async function valuesFrom(flags: ValuesFlags, helm: HelmVersion = 4): Promise<Values> {
  const { mergeValues } = await import('@capstan/helm');
  const files = await Promise.all(
    (flags.values ?? []).map(async name => ({
      name,
      text: name === '-' ? await readAll(process.stdin) : await readFile(name, 'utf8'),
    })),
  );
  return mergeValues({
    helm,
    files,
    set: flags.set ?? [],
    setString: flags.setString ?? [],
    setFile: flags.setFile ?? [],
    setJson: flags.setJson ?? [],
    setLiteral: flags.setLiteral ?? [],
    readFile: path => readFileSync(path, 'utf8'),
  });
}
