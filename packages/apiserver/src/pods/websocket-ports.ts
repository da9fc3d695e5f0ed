/**
 * Port-forward over the channels of a WebSocket: for each port of the query a channel for its data and one for what went wrong, each
 * beginning with the number of the port. One connection a port, for clients that do not speak SPDY.
 */
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { messageOf, unlessAborted } from './abort.ts';
import { ChannelSocket } from './channel-socket.ts';
import type { PortForwardStream } from './pod-stream.ts';
import { joined } from './port-forward.ts';

/** `protocol` is one of `WEBSOCKET_PROTOCOLS.portforward`. Resolves when no port is open any more. */
export async function servePortChannels(
  forward: PortForwardStream,
  socket: WebSocket,
  protocol: string,
): Promise<void> {
  const channels = new ChannelSocket(socket, { base64: protocol.includes('base64'), ends: false });
  await Promise.all(forward.ports.map((port, index) => servePort(forward, port, channels, index * 2)));
  channels.close();
}

async function servePort(
  { agent, pod }: PortForwardStream,
  port: number,
  channels: ChannelSocket,
  channel: number,
): Promise<void> {
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  const client = Duplex.from({ readable: channels.input(channel), writable: channels.output(channel) });
  client.on('error', () => {});
  channels.send(channel, number);
  channels.send(channel + 1, number);
  const { gone: signal } = channels;
  try {
    const connection = await unlessAborted(agent.portForward({ pod, port, signal }), signal);
    // The client has no way to end its half.
    connection.once('end', () => connection.end());
    await joined(client, connection);
  } catch (error) {
    const which = `${port} to pod ${pod.metadata.name}, uid ${pod.metadata.uid}`;
    if (!signal.aborted) channels.send(channel + 1, Buffer.from(`error forwarding port ${which}: ${messageOf(error)}`));
  }
  client.destroy();
}
