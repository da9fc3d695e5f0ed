import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly asked: { method: string; url: string; headers: IncomingMessage['headersDistinct']; body: string }[];
  close(): Promise<void>;
}

/** A server on the loopback that answers as the test says, to do what no good server does. */
export async function scriptedServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  tls?: ServerOptions,
  wantedPort = 0,
): Promise<ScriptedServer> {
  const asked: ScriptedServer['asked'] = [];
  const listener: RequestListener = async (request, response) => {
    const body = (await Array.fromAsync(request)).join('');
    asked.push({ method: request.method!, url: request.url!, headers: request.headersDistinct, body });
    answer(response, request);
  };
  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>(resolve => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export const event = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } })}\n`;
