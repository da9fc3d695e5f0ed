import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Health } from './health.ts';

/** Where to listen. Loopback unless told otherwise; port 0 takes any that is free. */
export interface Listen {
  readonly host?: string;
  readonly port: number;
}

export interface Served {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `/healthz`, `/livez`, `/readyz` and `/metrics`, whichever are given. */
export async function serve(listen: Listen, content: { health?: Health; metrics?: Registry }): Promise<Served> {
  const { host = '127.0.0.1', port } = listen;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    answer(path, content, response).catch((error: unknown) => send(response, 500, `${error}\n`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.unref();
  return { host, port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

async function answer(
  path: string,
  { health, metrics }: { health?: Health; metrics?: Registry },
  response: ServerResponse,
): Promise<void> {
  if (metrics !== undefined && path === '/metrics') {
    return send(response, 200, await metrics.metrics(), metrics.contentType);
  }
  const check =
    path === '/healthz' || path === '/livez' ? health?.live() : path === '/readyz' ? health?.ready() : undefined;
  if (check === undefined) return send(response, 404, 'not found\n');
  send(response, check.healthy ? 200 : 503, check.text);
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
