/** Joins a client's streams with those of a process in a container, whatever protocol the client speaks. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, unlessAborted } from './abort.ts';
import { exited, failed, type LastWord, SUCCESS } from './command-status.ts';
import type { SessionStreams, TerminalSize } from './node-agent.ts';
import type { CommandStream } from './pod-stream.ts';

/** The client's end. Its streams are those that it asked for. */
export interface CommandClient {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  readonly stderr?: Writable | undefined;
  onResize(listener: (size: TerminalSize) => void): void;
  /** Says how it ended and closes the connection in good order. */
  finish(word: LastWord): void;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
}

/** Resolves when all is over. Never rejects: what goes wrong is told to the client, as long as there is one. */
export async function runCommand(stream: CommandStream, client: CommandClient): Promise<void> {
  const { gone } = client;
  const opening = open(stream, gone);
  try {
    const opened = await unlessAborted(opening, gone);
    try {
      client.finish(await join(stream, opened, client));
    } finally {
      release(opened);
    }
  } catch (error) {
    if (gone.aborted) {
      // The node was told by the signal; should it still come with a session, nobody is there to have it.
      opening.then(release, () => {});
      return;
    }
    client.finish(failed(`error ${DOING[stream.kind]} container: ${messageOf(error)}`));
  }
}

const DOING = { exec: 'executing command in', attach: 'attaching to' } as const;

interface Opened {
  readonly session: SessionStreams;
  /** Fails where the node does; it is looked at when the outputs have been read. */
  readonly outcome: Promise<LastWord>;
}

async function open(stream: CommandStream, signal: AbortSignal): Promise<Opened> {
  const request = { ...stream.request, signal };
  if (stream.kind === 'attach') {
    const session = await stream.agent.attach(request);
    const outcome = session.ended.then(() => SUCCESS);
    return { session, outcome: lookedAtLater(outcome) };
  }
  const session = await stream.agent.exec({ ...request, command: stream.command });
  return { session, outcome: lookedAtLater(session.exit.then(exited)) };
}

/** Until then, a failure must not count as unhandled. */
function lookedAtLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function join(stream: CommandStream, { session, outcome }: Opened, client: CommandClient): Promise<LastWord> {
  const { gone } = client;
  if (stream.request.tty) client.onResize(size => session.resize(size));
  if (client.stdin && session.stdin) {
    // A process may close its input, or end, before it has read everything: that is its right.
    pipeline(client.stdin, session.stdin).catch(() => client.stdin?.resume());
  }
  const outputs = [carry(session.stdout, client.stdout, gone), carry(session.stderr, client.stderr, gone)];
  await unlessAborted(Promise.all(outputs), gone);
  return unlessAborted(outcome, gone);
}

async function carry(from: Readable | undefined, to: Writable | undefined, gone: AbortSignal): Promise<void> {
  if (!from || !to) return;
  try {
    await pipeline(from, to, { end: false, signal: gone });
  } catch (error) {
    // An output that breaks off is over; how the process ended is said by its status.
    if (to.destroyed || gone.aborted) throw error;
  }
}

function release({ session }: Opened): void {
  for (const stream of [session.stdin, session.stdout, session.stderr]) {
    stream?.on('error', () => {}).destroy();
  }
}
