import { buildPeer, isBuilt, type Progress } from './build.ts';
import { cacheFolder } from './cache.ts';
import { findGo, GoFailed } from './go.ts';
import { type Peer, selectPeers } from './table.ts';

/** A line that renews itself on a terminal, and one line every ten seconds in a log. */
function showProgress(name: string): Progress {
  const start = Date.now();
  let shown = start;
  return (compiled, total) => {
    const now = Date.now();
    const text = `peers: ${name}: compiled ${compiled} of at most ${total} packages, ${Math.round((now - start) / 1000)} s`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
    else if (now - shown >= 10_000) {
      shown = now;
      console.error(text);
    }
  };
}

async function build(go: string, peer: Peer): Promise<boolean> {
  const title = `${peer.name} ${peer.version}`;
  if (isBuilt(peer)) {
    console.error(`peers: ${title} is there`);
    return true;
  }
  console.error(`peers: building ${title}, once; this can take minutes`);
  const newLine = process.stderr.isTTY ? '\r\x1b[K' : '';
  try {
    await buildPeer(go, peer, showProgress(title));
    console.error(`${newLine}peers: ${title} is built`);
    return true;
  } catch (error) {
    if (!(error instanceof GoFailed)) throw error;
    console.error(`${newLine}peers: ${title}: ${error.message}\n${error.output.map(line => `  ${line}`).join('\n')}`);
    console.error(
      'peers: is the module proxy reachable ("go env GOPROXY"), is there disk space ("df -h ~")? ' +
        `Then run "npm run peers -- ${peer.name}" again: what is compiled already is kept.`,
    );
    return false;
  }
}

async function main(names: readonly string[]): Promise<number> {
  let wanted: Peer[];
  try {
    wanted = selectPeers(names);
  } catch (error) {
    console.error(`peers: ${(error as Error).message}`);
    return 2;
  }
  const go = findGo();
  if (go.state === 'missing') {
    const missing = wanted.filter(peer => !isBuilt(peer)).map(peer => peer.name);
    if (missing.length === 0) return 0;
    console.error(
      `peers: ${go.why}, so these are skipped: ${missing.join(', ')}. Install Go 1.24 or later (go.dev/dl).`,
    );
    return 0;
  }
  let failed = 0;
  for (const peer of wanted) if (!(await build(go.program, peer))) failed++;
  console.error(`peers: ${wanted.length - failed} of ${wanted.length} ready in ${cacheFolder()}`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
