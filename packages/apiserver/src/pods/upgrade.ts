/**
 * Connections that change hands: a client asks for exec, attach or port-forward, and from then on the connection is no longer HTTP.
 * Everything that can be refused is refused before that, by leaving the request to the ordinary path, which answers it with a Status.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@capstan/kube';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import type { ServerRequest } from '../request.ts';
import { repeatedly } from './keep-alive.ts';
import type { PodStream } from './pod-stream.ts';
import { servePortForward } from './port-forward.ts';
import { chooseProtocol, type Protocol, TUNNEL } from './protocols.ts';
import { serveSpdyCommand } from './spdy-command.ts';
import { serveCommand } from './websocket-command.ts';
import { servePortChannels } from './websocket-ports.ts';

/** No client sends messages as large as this; one that does is cut off. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;

/** The part of the server that is needed here. */
export interface PodStreams {
  readonly clock: Clock;
  /** Throws where the request is not allowed, or cannot be met. */
  openPodStream(request: ServerRequest): PodStream;
}

export interface Upgrades {
  /** Whether a connection is handed over: `shouldUpgradeCallback` of Node's servers. */
  readonly wanted: (incoming: IncomingMessage) => boolean;
  /** For the event `upgrade`. */
  readonly accept: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Cuts off every connection that was handed over. */
  close(): void;
}

interface Decision {
  readonly stream: PodStream;
  readonly protocol: Protocol;
}

/** `read` gives the request without its body; undefined where nobody is known to have sent it. */
export function podUpgrades(
  server: PodStreams,
  read: (incoming: IncomingMessage) => ServerRequest | undefined,
): Upgrades {
  const decisions = new WeakMap<IncomingMessage, Decision>();
  const open = new Set<Duplex>();
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
  });
  // The name of a protocol may have a slash here (`SPDY/3.1+portforward.k8s.io`), which the library refuses to read.
  webSockets.on('headers', (headers, incoming) => {
    const name = decisions.get(incoming)?.protocol.name;
    if (name) headers.push(`Sec-WebSocket-Protocol: ${name}`);
  });
  return {
    wanted(incoming) {
      try {
        const request = read(incoming);
        if (!request) return false;
        const stream = server.openPodStream(request);
        decisions.set(incoming, { stream, protocol: chooseProtocol(stream.kind, request) });
        return true;
      } catch {
        return false; // the ordinary path fails in the same way, and says why
      }
    },
    accept(incoming, socket, head) {
      const { stream, protocol } = decisions.get(incoming)!;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      if (protocol.over === 'spdy') {
        acceptSpdy(socket, head, protocol.name);
        void overSpdy(stream, socket, protocol.name, server.clock);
        return;
      }
      delete incoming.headers['sec-websocket-protocol'];
      webSockets.handleUpgrade(incoming, socket, head, webSocket => {
        void overWebSocket(stream, webSocket, protocol.name, server.clock);
      });
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

function acceptSpdy(socket: Duplex, head: Buffer, protocol: string): void {
  socket.on('error', () => {}); // followed by 'close'
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    ...(protocol === '' ? [] : [`X-Stream-Protocol-Version: ${protocol}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) socket.unshift(head);
}

function overSpdy(stream: PodStream, socket: Duplex, protocol: string, clock: Clock): Promise<void> {
  if (stream.kind === 'portforward') return servePortForward(stream, socket, clock);
  return serveSpdyCommand(stream, socket, protocol, clock);
}

async function overWebSocket(stream: PodStream, socket: WebSocket, protocol: string, clock: Clock): Promise<void> {
  if (protocol === TUNNEL && stream.kind === 'portforward') {
    await servePortForward(stream, createWebSocketStream(socket), clock);
    return;
  }
  socket.once(
    'close',
    repeatedly(clock, () => socket.ping()),
  );
  if (stream.kind === 'portforward') await servePortChannels(stream, socket, protocol);
  else await serveCommand(stream, socket, protocol);
}
