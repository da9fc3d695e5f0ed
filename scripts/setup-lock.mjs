// One set-up at a time in a clone. The lock is a socket that is listened on: the system gives it to one process only and takes it
// back when that ends, however it ends, so it is never left behind. Plain JavaScript for any Node, as setup.mjs.
import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Resolves when this process is the only one that sets `root` up. `onWait` is called once if another one is at it.
 *
 * `fd` is to be handed down to programs that do the work: should this process be killed while they go on, the next one waits for them.
 */
export async function takeSetupLock(root, onWait = () => {}) {
  const address = addressOf(root);
  for (let attempt = 0; ; attempt++) {
    const server = await listenAlone(address);
    if (server) return server;
    if (attempt === 0) onWait();
    await untilReleased(address);
  }
}

/** A name without a file is this long with Node 20, which fills it up; later ones take it as it is. */
const NAME_LENGTH = 107;

/** On Linux a name without a file. Elsewhere a file, which stays when its owner is killed and is then removed. */
function addressOf(root) {
  const name = `capstan-setup-${createHash('sha256').update(root).digest('hex').slice(0, 20)}`;
  return process.platform === 'linux' ? `\0${name.padEnd(NAME_LENGTH, '.')}` : join(tmpdir(), `${name}.sock`);
}

/** Undefined when somebody else listens. */
function listenAlone(address) {
  return new Promise((resolve, reject) => {
    const waiting = new Set();
    const server = createServer(socket => waiting.add(socket.unref().on('error', () => {})));
    const release = () => {
      server.close();
      for (const socket of waiting) socket.destroy();
    };
    server.once('error', error => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(address, () => resolve({ fd: server.unref()._handle.fd, release }));
  });
}

/** A connection lasts as long as who listens: nobody has to answer it. */
function untilReleased(address) {
  return new Promise(resolve => {
    const socket = connect(address);
    socket.on('error', error => {
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) unlinkSync(address);
    });
    socket.once('close', () => resolve());
    socket.resume();
  });
}
