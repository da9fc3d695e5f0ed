/** `capstan up`, which is also `npm start`: the cluster and all that runs on it, until it is told to stop. */
import { clusterOptions, type RunOptions } from '../cluster/run-options.ts';
import { stopOnSignal } from '../cluster/stop-on-signal.ts';
import { chosenParts, type PartOptions } from './parts.ts';
import { startPlatform } from './start-platform.ts';
import { welcome } from './welcome.ts';

export async function up(options: RunOptions & PartOptions): Promise<void> {
  const platform = await startPlatform(clusterOptions(options), chosenParts(options));
  stopOnSignal(() => platform.stop());
  console.log(welcome(platform, options.memory ?? false));
}
