/** Exec and attach over a WebSocket. */
import type { WebSocket } from 'ws';
import { ChannelSocket } from './channel-socket.ts';
import { type CommandClient, runCommand } from './command-session.ts';
import type { LastWord } from './command-status.ts';
import type { CommandStream } from './pod-stream.ts';
import { TerminalSizes } from './terminal-size.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;

interface CommandProtocol {
  readonly base64: boolean;
  readonly ends: boolean;
  /** How it ended is told as a Status; before that, a failure was told as text and success by silence. */
  readonly statuses: boolean;
}

/** In the order of preference. Without a name, the client speaks the oldest. */
export const COMMAND_PROTOCOLS: ReadonlyMap<string, CommandProtocol> = new Map([
  ['v5.channel.k8s.io', { base64: false, ends: true, statuses: true }],
  ['v4.channel.k8s.io', { base64: false, ends: false, statuses: true }],
  ['v4.base64.channel.k8s.io', { base64: true, ends: false, statuses: true }],
  ['channel.k8s.io', { base64: false, ends: false, statuses: false }],
  ['base64.channel.k8s.io', { base64: true, ends: false, statuses: false }],
  ['', { base64: false, ends: false, statuses: false }],
]);

export function serveCommand(stream: CommandStream, socket: WebSocket, protocolName: string): Promise<void> {
  const protocol = COMMAND_PROTOCOLS.get(protocolName)!;
  const channels = new ChannelSocket(socket, protocol);
  const { stdin, stdout, stderr } = stream.request;
  const client: CommandClient = {
    stdin: stdin ? channels.input(STDIN) : undefined,
    stdout: stdout ? channels.output(STDOUT) : undefined,
    stderr: stderr ? channels.output(STDERR) : undefined,
    onResize(listener) {
      const sizes = new TerminalSizes();
      channels.input(RESIZE).on('data', bytes => sizes.read(bytes).forEach(listener));
    },
    finish(word) {
      const text = protocol.statuses ? JSON.stringify(word) : failureText(word);
      if (text !== '') channels.send(ERROR, Buffer.from(text));
      channels.close();
    },
    gone: channels.gone,
  };
  // An empty message on the lowest channel: clients wait for a first one to know that they are connected.
  channels.send(stdout ? STDOUT : stderr ? STDERR : ERROR, new Uint8Array());
  return runCommand(stream, client);
}

export const failureText = ({ status, message = '' }: LastWord): string => (status === 'Success' ? '' : message);
