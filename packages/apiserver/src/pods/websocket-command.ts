/** Exec and attach over a WebSocket. */
import type { WebSocket } from 'ws';
import { ChannelSocket } from './channel-socket.ts';
import { type CommandClient, runCommand } from './command-session.ts';
import { lastWordText } from './command-status.ts';
import type { CommandStream } from './pod-stream.ts';
import { TerminalSizes } from './terminal-size.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;

/** `protocol` is one of `WEBSOCKET_PROTOCOLS.exec`. */
export function serveCommand(stream: CommandStream, socket: WebSocket, protocol: string): Promise<void> {
  const channels = new ChannelSocket(socket, {
    base64: protocol.includes('base64'),
    ends: protocol.startsWith('v5.'),
  });
  const { stdin, stdout, stderr, tty } = stream.request;
  // From the beginning: the first size comes before the command is started.
  const resizes = tty ? channels.input(RESIZE) : undefined;
  const client: CommandClient = {
    stdin: stdin ? channels.input(STDIN) : undefined,
    stdout: stdout ? channels.output(STDOUT) : undefined,
    stderr: stderr ? channels.output(STDERR) : undefined,
    onResize(listener) {
      const sizes = new TerminalSizes();
      resizes?.on('data', bytes => sizes.read(bytes).forEach(listener));
    },
    finish(word) {
      const text = lastWordText(word, protocol);
      if (text !== '') channels.send(ERROR, Buffer.from(text));
      channels.close();
    },
    gone: channels.gone,
  };
  // An empty message on the lowest channel: clients wait for a first one to know that they are connected.
  channels.send(stdout ? STDOUT : stderr ? STDERR : ERROR, new Uint8Array());
  return runCommand(stream, client);
}
