/**
 * Connections that change hands: a client asks for exec, attach or port-forward, and from then on the connection is no longer HTTP.
 * Everything that can be refused is refused before that, by leaving the request to the ordinary path, which answers it with a Status.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@capstan/kube';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerRequest } from '../request.ts';
import { keepAlive } from './keep-alive.ts';
import type { PodStream } from './pod-stream.ts';
import { COMMAND_PROTOCOLS, serveCommand } from './websocket-command.ts';

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

/** `read` gives the request without its body; undefined where nobody is known to have sent it. */
export function podUpgrades(
  server: PodStreams,
  read: (incoming: IncomingMessage) => ServerRequest | undefined,
): Upgrades {
  const decided = new WeakMap<IncomingMessage, { readonly stream: PodStream; readonly protocol: string }>();
  const open = new Set<Duplex>();
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
  });
  // The name of a protocol may have a slash here (`SPDY/3.1+portforward.k8s.io`), which the library refuses to read.
  sockets.on('headers', (headers, incoming) => {
    const protocol = decided.get(incoming)?.protocol;
    if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  return {
    wanted(incoming) {
      try {
        if (incoming.headers.upgrade?.toLowerCase() !== 'websocket' || incoming.method !== 'GET') return false;
        const request = read(incoming);
        if (!request) return false;
        const stream = server.openPodStream(request);
        const protocol = chooseProtocol(stream, incoming);
        if (protocol === undefined) return false;
        decided.set(incoming, { stream, protocol });
        return true;
      } catch {
        return false; // the ordinary path fails in the same way, and says why
      }
    },
    accept(incoming, socket, head) {
      const { stream, protocol } = decided.get(incoming)!;
      delete incoming.headers['sec-websocket-protocol'];
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      sockets.handleUpgrade(incoming, socket, head, webSocket => {
        keepAlive(server.clock, webSocket);
        void serve(stream, webSocket, protocol).catch(() => webSocket.terminate());
      });
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

function offered(incoming: IncomingMessage): string[] {
  const text = incoming.headers['sec-websocket-protocol'];
  return text === undefined ? [''] : text.split(',').map(name => name.trim());
}

function chooseProtocol(stream: PodStream, incoming: IncomingMessage): string | undefined {
  const names = offered(incoming);
  if (stream.kind === 'portforward') return undefined;
  return names.find(name => COMMAND_PROTOCOLS.has(name));
}

async function serve(stream: PodStream, socket: WebSocket, protocol: string): Promise<void> {
  if (stream.kind === 'portforward') return;
  await serveCommand(stream, socket, protocol);
}
