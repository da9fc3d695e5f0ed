import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Normalised } from './normalise.ts';
import type { Script } from './script.ts';

/** What a real server answered to a script, kept so that the comparison needs no real server. */
export interface Fixture {
  /** The version of the server that was recorded. */
  readonly server: string;
  readonly answers: readonly Normalised[];
}

const pathOf = ({ name }: Script): string => fileURLToPath(new URL(`fixtures/${name}.json`, import.meta.url));

export function readFixture(script: Script): Fixture {
  const path = pathOf(script);
  if (!existsSync(path))
    throw new Error(`${script.name} is not recorded: run node e2e/differential/record.ts ${script.name}`);
  return JSON.parse(readFileSync(path, 'utf8')) as Fixture;
}

export function writeFixture(script: Script, fixture: Fixture): void {
  writeFileSync(pathOf(script), `${JSON.stringify(fixture, null, 1)}\n`);
}
