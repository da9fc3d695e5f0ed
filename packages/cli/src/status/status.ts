/** `capstan status`: what is well in a cluster and what is not, on one screen. */
import { connect, createClient, systemClock } from '@capstan/kube';
import { observe } from './observe.ts';
import { remedyFor } from './remedy.ts';
import { reportOf } from './report.ts';
import { screen } from './screen.ts';
import { whichKubeconfig } from './which-kubeconfig.ts';

export interface StatusOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly json?: boolean;
}

/** A cluster that takes longer than this for a few lists is not one to wait for. */
const DEADLINE = 30_000;

/** The exit code: 0 when everything is as it should be, 1 when something is not, 2 when the cluster cannot be reached. */
export async function status(options: StatusOptions): Promise<0 | 1 | 2> {
  const clock = systemClock;
  const { context, namespace } = options;
  const late = new AbortController();
  const timer = clock.after(DEADLINE, () => late.abort(new Error(`no answer within ${DEADLINE / 1000} s`)));
  let where = 'the cluster';
  try {
    const path = whichKubeconfig(options.kubeconfig, process.env, process.cwd());
    const { transport, description } = await connect({ path, context });
    where = description;
    const client = createClient({ transport, userAgent: 'capstan-status' });
    const observation = await observe({ client, clock, description, namespace, signal: late.signal });
    const report = reportOf(observation, clock.now());
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : `${screen(report, clock.now())}\n`);
    await transport.close();
    return report.healthy ? 0 : 1;
  } catch (error) {
    const remedy = late.signal.aborted ? 'Check that the cluster is up, and try again.' : remedyFor(error);
    if (remedy === undefined) throw error;
    process.stderr.write(`capstan: cannot reach ${where}: ${(error as Error).message}.\n${remedy}\n`);
    return 2;
  } finally {
    timer.cancel();
  }
}
