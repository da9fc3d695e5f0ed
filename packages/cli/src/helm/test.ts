import { testRelease } from '@capstan/helm';
import { milliseconds } from './change-flags.ts';
import { type ClusterFlags, openHelm } from './open.ts';
import { type OutputFormat, printAs } from './output.ts';
import { releaseJson, statusText } from './status-text.ts';

export interface TestFlags extends ClusterFlags {
  readonly timeout: string;
  readonly filter: readonly string[];
  readonly output: OutputFormat;
}

export async function test(name: string, flags: TestFlags): Promise<void> {
  const filters = flags.filter.flatMap(text => text.split(','));
  const named = (prefix: RegExp): string[] =>
    filters.filter(text => prefix.test(text)).map(text => text.replace(prefix, ''));
  const { release, failure } = await testRelease(await openHelm(flags), {
    name,
    timeout: milliseconds(flags.timeout),
    only: named(/^name=/),
    except: named(/^!\s?name=/),
  });
  printAs(flags.output, releaseJson(release), () => statusText(release, { hideNotes: true }));
  if (failure) throw failure;
}
