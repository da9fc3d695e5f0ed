import { findPeer } from '../../scripts/peers/find.ts';
import { findGo } from '../../scripts/peers/go.ts';

/** What a test's context offers of it: `skip` ends the test with a note that the run's summary shows. */
interface Skippable {
  skip(note?: string): never;
}

/**
 * Skips the test where a peer is missing, with what would bring it. On a CI machine that has Go it fails instead: there
 * the peer could be had, so a run without it would only look green.
 */
export function requirePeers(context: Skippable, names: readonly string[]): void {
  const missing = names.filter(name => findPeer(name) === undefined);
  if (missing.length === 0) return;
  const note = `${missing.join(', ')}: run npm run peers -- ${missing.join(' ')}`;
  if (process.env.CI === 'true' && findGo().state === 'ready') throw new Error(`missing ${note}`);
  context.skip(note);
}
