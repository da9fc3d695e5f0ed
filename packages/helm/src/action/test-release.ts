import { uuid } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import { DEFAULT_TIMEOUT } from './change.ts';
import type { Helm } from './context.ts';
import { Holding } from './holding.ts';
import { runHooks } from './hooks.ts';
import { historyWhenFree } from './takeover.ts';

export interface TestOptions {
  readonly name: string;
  readonly timeout?: number | undefined;
  /** Names of tests to run; all if none are given. */
  readonly only?: readonly string[] | undefined;
  /** Names of tests to leave out. */
  readonly except?: readonly string[] | undefined;
}

export interface TestOutcome {
  /** With what each test did in `last_run` of its hook. */
  readonly release: Release;
  /** Why the tests failed; undefined when all passed. */
  readonly failure?: Error;
}

/** Runs the tests of a release: its hooks of the event `test`. The release stays as it is, whatever they say. */
export async function testRelease(helm: Helm, options: TestOptions): Promise<TestOutcome> {
  const { name, timeout = DEFAULT_TIMEOUT, only = [], except = [] } = options;
  const last = (await historyWhenFree(helm, name)).at(-1);
  if (!last) throw new ReleaseError('ReleaseNotFound', `release: not found: ${name}`);
  const begun = { operation: 'test', intent: last.journal?.intent ?? '', step: 'after' } as const;
  const holding = await Holding.take(helm, last, last.release, { id: uuid(helm.random), ...begun });
  const isWanted = (test: string): boolean => !except.includes(test) && (only.length === 0 || only.includes(test));
  try {
    await runHooks({ helm, holding, timeout, only: hook => isWanted(hook.name) }, 'test');
    return { release: await holding.end(holding.release) };
  } catch (error) {
    if (!(error instanceof ReleaseError && error.code === 'HookFailed')) {
      holding.abandon();
      throw error;
    }
    return { release: await holding.end(holding.release), failure: error };
  }
}
