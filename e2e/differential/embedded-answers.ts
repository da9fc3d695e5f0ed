import { startEmbedded } from '../embedded/server.ts';
import { type Normalised, normalise } from './normalise.ts';
import { runScript } from './run.ts';
import type { Script } from './script.ts';
import { connect } from './target.ts';

/** What the embedded server answers to a script, on a store of its own. */
export async function embeddedAnswers(script: Script, onError?: (error: unknown) => void): Promise<Normalised[]> {
  const server = await startEmbedded(onError);
  // As the real server after its restart: version 1 is too old to watch from.
  server.compact();
  const target = connect(server);
  try {
    return normalise(await runScript(script, target));
  } finally {
    await target.close();
    await server.stop();
  }
}
